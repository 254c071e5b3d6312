/** What is there now, with what somebody added to what they saw, and without what they took away from it. */
export function followed<Item>(now: readonly Item[], seen: readonly Item[], wanted: readonly Item[]): Item[] {
  const added = wanted.filter((item) => !seen.includes(item) && !now.includes(item));
  return [...now.filter((item) => wanted.includes(item) || !seen.includes(item)), ...added];
}
