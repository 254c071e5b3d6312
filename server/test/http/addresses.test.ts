import { expect, test } from 'vitest';
import { networkOf, withoutPort } from '../../src/kernel/addresses.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['unknown', 'unknown'],
])('%s stands for %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ['203.0.113.77:40001', '203.0.113.77'],
  ['[2001:db8:9:9::1]:40001', '2001:db8:9:9::1'],
  ['[2001:db8:9:9::1]', '2001:db8:9:9::1'],
  ['2001:db8:9:9::1', '2001:db8:9:9::1'],
  ['203.0.113.77', '203.0.113.77'],
  ['unknown', 'unknown'],
])('a proxy that writes %s means %s', (told, address) => {
  expect(withoutPort(told)).toBe(address);
});
