import { isIPv6 } from 'node:net';

/** An address without the port and the brackets that some proxies write with it. */
export function withoutPort(address: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(address) ?? [];
  return bracketed ?? address.replace(/^([\d.]+):\d+$/, '$1');
}

/** The eight groups of an IPv6 address, as numbers. */
function groupsOf(address: string): number[] {
  // URLs know every spelling of an address, dotted endings too, and give one back.
  const [plain = ''] = address.split('%', 1);
  const spelled = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [front = '', back] = spelled.split('::');
  const numbers = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [numbers(front), numbers(back ?? '')];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

/**
 * Whom an address stands for: itself, or the network of 64 bits around an IPv6 address, which is what one household or one
 * machine gets. Whoever has one of those has more addresses in it than anybody could count.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const [, , , , , mark, high = 0, low = 0] = groups;
  const isMapped = mark === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}
