/** Bytes of stored texts that whoever folds them in holds at once; a single one may be longer. */
export const mostBytes = 16 * 1024 * 1024;

/** Rows in their order, as many at a time as may be held at once. */
export function* byBytes<Row extends { readonly bytes: number }>(rows: readonly Row[]): Iterable<Row[]> {
  let [some, bytes]: [Row[], number] = [[], 0];
  for (const row of rows) {
    if (some.length > 0 && bytes + row.bytes > mostBytes) {
      yield some;
      [some, bytes] = [[], 0];
    }
    some.push(row);
    bytes += row.bytes;
  }
  if (some.length > 0) yield some;
}
