/** What one look at one thing found. */
export interface HealthFinding {
  readonly about: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly says: string;
  /** Which finding it is, for those who say it in other words; undefined where the words are of something else, such as a database. */
  readonly code?: string;
  /** What the words tell beside that: places, names, figures. */
  readonly facts?: Readonly<Record<string, string | number>>;
  /** What to do about it. */
  readonly advice?: string;
}
