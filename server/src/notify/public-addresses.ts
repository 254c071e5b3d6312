import { BlockList, isIP, isIPv6 } from 'node:net';

/** Everything that does not lead out into the internet: the machine itself, its networks, and what nobody may use. */
const closed = new BlockList();
const networks4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;
for (const [network, bits] of networks4) closed.addSubnet(network, bits, 'ipv4');

/** Of version 6 only the global unicast addresses lead out, without those that carry one of version 4 inside. */
const open6 = new BlockList();
open6.addSubnet('2000::', 3, 'ipv6');
const closed6 = new BlockList();
const networks6 = [
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;
for (const [network, bits] of networks6) closed6.addSubnet(network, bits, 'ipv6');

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Whether an address is one that anybody on the internet could call as well. */
export function isPublicAddress(address: string): boolean {
  const inner = mapped.exec(address)?.[1];
  if (inner !== undefined) return isPublicAddress(inner);
  if (isIPv6(address)) return open6.check(address, 'ipv6') && !closed6.check(address, 'ipv6');
  return isIP(address) === 4 && !closed.check(address, 'ipv4');
}

/** The address that a URL names by itself; undefined where it names a host. */
export function addressIn({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
}
