/** What one look at one thing found. */
export interface HealthFinding {
  readonly about: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly says: string;
  /** What to do about it. */
  readonly advice?: string;
}
