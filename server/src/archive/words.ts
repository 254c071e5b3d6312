/** Names that are told one by one; of more, only how many there are. */
const mostNamed = 10;

/** Texts of archives can have any length; words about them cannot. */
const longestName = 100;

export const clipped = (text: string, longest = longestName) =>
  text.length <= longest ? text : `${text.slice(0, longest)}…`;

/** `3 groups: a, b, c`. */
export function listed(one: string, many: string, names: readonly string[]): string {
  const told = names.slice(0, mostNamed).map((name) => clipped(name));
  const more = names.length - told.length;
  const rest = more > 0 ? [`and ${more} more`] : [];
  return `${names.length} ${names.length === 1 ? one : many} (${[...told, ...rest].join(', ')})`;
}
