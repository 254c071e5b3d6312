/** How many values the public part of each kind of key has, after the name of the kind. */
const partsOfKinds = new Map([
  ['ssh-rsa', 2],
  ['ssh-dss', 4],
  ['ssh-ed25519', 1],
  ['ecdsa-sha2-nistp256', 2],
  ['ecdsa-sha2-nistp384', 2],
  ['ecdsa-sha2-nistp521', 2],
  ['sk-ssh-ed25519@openssh.com', 2],
  ['sk-ecdsa-sha2-nistp256@openssh.com', 3],
]);

const longestKey = 8192;

/** The values in a public key, each with its length before it; undefined where one is cut off. */
function partsOf(bytes: Buffer): Buffer[] | undefined {
  const parts: Buffer[] = [];
  let place = 0;
  while (place + 4 <= bytes.length) {
    const end = place + 4 + bytes.readUInt32BE(place);
    if (end > bytes.length) return undefined;
    parts.push(bytes.subarray(place + 4, end));
    place = end;
  }
  return place === bytes.length ? parts : undefined;
}

/** Whether a text is the public part of an SSH key as a file of authorised keys has it, and all of it. */
export function isSshKey(text: string): boolean {
  const [, kind = '', encoded = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})( .*)?$/.exec(text) ?? [];
  const expected = partsOfKinds.get(kind);
  if (expected === undefined || text.length > longestKey) return false;
  const [name, ...values] = partsOf(Buffer.from(encoded, 'base64')) ?? [];
  return (
    name?.toString('latin1') === kind &&
    values.length === expected &&
    values.every(({ length }) => length > 0)
  );
}
