/** What one look at one thing found. */
export interface Finding {
  readonly about: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly says: string;
  /** What to do about it. */
  readonly advice?: string;
}
