/** Mixes the bits of a number as lowbias32 of the Hash Prospector does; no two numbers below 2^32 give the same. */
function lowbias32(number: number): string {
  let bits = number >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return ((bits ^ (bits >>> 16)) >>> 0).toString(16).padStart(8, '0');
}

/**
 * Stands for one version of one artifact; another version never has the same. Made without a cryptographic hash, which
 * would cost as much as reading the artifact: it keeps nothing secret.
 */
export function versionTag({ id, version }: { readonly id: number; readonly version: number }): string {
  const high = Math.floor(id / 2 ** 32);
  return lowbias32(version ^ Math.imul(id, 0x9e3779b1)) + lowbias32(id) + (high === 0 ? '' : lowbias32(high));
}
