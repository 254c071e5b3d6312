/** Why somebody is told of a change, the strongest first: who has several reasons is told for the first that they wish to hear of. */
export const reasons = [
  'mention',
  'assignee',
  'chosen',
  'commenter',
  'submitter',
  'watcher',
  'search',
] as const;
export type Reason = (typeof reasons)[number];

export const isReason = (text: string): text is Reason => reasons.some((reason) => reason === text);

/** The stronger of two. */
export const strongerReason = (left: Reason, right: Reason): Reason =>
  reasons.indexOf(left) <= reasons.indexOf(right) ? left : right;
