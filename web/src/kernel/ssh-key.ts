/** A public key as `ssh-keygen` writes it: its type, its bytes in base64, and a name. */
export interface SshKey {
  readonly type: string;
  readonly base64: string;
  readonly name: string;
}

const line =
  /^(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-nistp\d+|sk-[\w-]+@openssh\.com) [A-Za-z0-9+/]{16,}={0,3}(?: .*)?$/;

export function readSshKey(text: string): SshKey | undefined {
  if (!line.test(text)) return undefined;
  const [type = '', base64 = '', ...name] = text.split(' ');
  return { type, base64, name: name.join(' ') };
}

/** The number of the first line that is not a key, counted from 1; undefined where all are. Empty lines are left out. */
export function wrongLineIn(text: string): number | undefined {
  const index = text
    .split('\n')
    .findIndex((one) => one.trim() !== '' && readSshKey(one.trim()) === undefined);
  return index === -1 ? undefined : index + 1;
}
