/** Bytes that are read or written together. */
export const portionSize = 128 * 1024;

/** Portions that nobody uses now. To use them again spares the collector most of its work. */
const spare: Uint8Array[] = [];
const mostSpare = 32;

/** Memory for one portion; what is in it is of no meaning. */
export const takePortion = (): Uint8Array => spare.pop() ?? Buffer.allocUnsafeSlow(portionSize);

/** Nobody may read from it or write to it any more. */
export function giveBack(...portions: readonly Uint8Array[]): void {
  for (const portion of portions) if (spare.length < mostSpare) spare.push(portion);
}
