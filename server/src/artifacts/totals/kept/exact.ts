/**
 * A decimal number of any length: digits times ten to the minus scale. Numbers of sums come and go one by one; added up
 * like this, what is left never depends on what else was there before.
 */
export interface Exact {
  readonly digits: bigint;
  readonly scale: number;
}

export const zero: Exact = { digits: 0n, scale: 0 };

const form = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/;

export function parseExact(text: string): Exact {
  const [, sign = '', whole = '0', part = '', power = '0'] = form.exec(text) ?? [];
  const digits = BigInt(`${sign}${whole}${part}`);
  const scale = part.length - Number(power);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

/** A number as it is written, which is what people mean by it. */
export const exactOf = (number: number) => parseExact(String(number));

const at = ({ digits, scale }: Exact, wanted: number) => digits * 10n ** BigInt(wanted - scale);

function plusExact(left: Exact, right: Exact): Exact {
  const scale = Math.max(left.scale, right.scale);
  return { digits: at(left, scale) + at(right, scale), scale };
}

const negated = ({ digits, scale }: Exact): Exact => ({ digits: -digits, scale });

export function formatExact({ digits, scale }: Exact): string {
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const part = text.slice(text.length - scale).replace(/0+$/, '');
  return part === '' ? `${sign}${whole}` : `${sign}${whole}.${part}`;
}

/** What artifacts add up to: nothing at all is not the same as 0. */
export interface Sum {
  readonly sum: Exact;
  readonly parts: number;
}

export const zeroSum: Sum = { sum: zero, parts: 0 };

export const addUp = (left: Sum, right: Sum): Sum => ({
  sum: plusExact(left.sum, right.sum),
  parts: left.parts + right.parts,
});

export const lessThan = (sum: Sum, taken: Sum): Sum => ({
  sum: plusExact(sum.sum, negated(taken.sum)),
  parts: sum.parts - taken.parts,
});

export const isNothing = ({ sum, parts }: Sum) => parts === 0 && sum.digits === 0n;

/** The number that answers show; a sum beyond all numbers is none that JSON could carry. */
export function shownSum({ sum, parts }: Sum): number | null {
  const number = Number(formatExact(sum));
  return parts === 0 || !Number.isFinite(number) ? null : number;
}
