/**
 * The sum as somebody would write it down, without what binary fractions add behind the digits that a number surely has.
 * So it does not matter in which order many are summed up.
 */
export function plus(left: number, right: number): number {
  const sum = left + right;
  return Number.isInteger(sum) ? sum : Number(sum.toPrecision(15));
}
