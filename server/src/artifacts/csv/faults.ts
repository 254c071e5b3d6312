/** A cell that cannot be what it says. */
export interface CellFault {
  readonly row: number;
  /** Null where the whole row is at fault. */
  readonly column: string | null;
  readonly value: string | null;
  readonly reason: string;
}

/** Faults that are told one by one; beyond them they are counted. */
const mostTold = 1000;
const longestValue = 200;

/** What is wrong with a table, cell by cell. */
export class CellFaults {
  readonly told: CellFault[] = [];
  count = 0;

  add(
    row: number,
    cell: { readonly name: string; readonly value: string } | undefined,
    reason: string,
  ): void {
    if (++this.count > mostTold) return;
    const { name: column = null, value = null } = cell ?? {};
    this.told.push({ row, column, value: value === null ? null : value.slice(0, longestValue), reason });
  }

  /** The first of them in words, a line for each. */
  words(most: number): string {
    const lines = this.told
      .slice(0, most)
      .map(({ row, column, reason }) => `Row ${row}${column === null ? '' : `, ${column}`}: ${reason}`);
    const rest = this.count - lines.length;
    return [...lines, ...(rest > 0 ? [`And ${rest} more.`] : [])].join('\n');
  }
}
