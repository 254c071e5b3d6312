import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import { reasonOf } from '../kernel/system-faults.ts';
import { accountNamed } from './accounts.ts';
import { type CommandAnswer, listing } from './answer.ts';
import { declareCommand, nonEmpty, onInstance } from './command.ts';
import { CommandFault } from './faults.ts';
import type { Instance } from './instance.ts';

/** Files of public keys are small; whoever names another file is told at once. */
const longestFile = 1024 * 1024;

export function declare(group: Command): void {
  group.description('List, add and remove the public SSH keys of a user.');
  declareCommand(group, 'list', 'List the SSH keys of a user.', 'ssh-key list ines')
    .argument('<user>', 'user name')
    .action(onInstance(listKeys));
  declareCommand(
    group,
    'add',
    'Add the public keys in a file, one on each line.',
    'ssh-key add ines id_ed25519.pub',
    'ssh-key add ines - < id_ed25519.pub',
  )
    .argument('<user>', 'user name')
    .argument('<file>', 'file with the public part of keys; - for standard input', nonEmpty)
    .action(onInstance(addKeys));
  declareCommand(
    group,
    'remove',
    'Remove an SSH key of a user.',
    'ssh-key remove ines SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8',
  )
    .argument('<user>', 'user name')
    .argument('<fingerprint>', 'fingerprint of the key, as `ssh-key list` shows it', nonEmpty)
    .action(onInstance(removeKey));
}

/** What tools of SSH show of a key. */
function presented(key: string) {
  const [type = '', encoded = '', ...comment] = key.split(' ');
  const digest = createHash('sha256').update(Buffer.from(encoded, 'base64')).digest('base64');
  return { type, fingerprint: `SHA256:${digest.replace(/=+$/, '')}`, comment: comment.join(' '), key };
}

async function standardInput(): Promise<string> {
  let text = '';
  for await (const part of process.stdin.setEncoding('utf8')) {
    text += part;
    if (text.length > longestFile) throw new CommandFault('Standard input is too long for keys.');
  }
  return text;
}

async function textIn(path: string): Promise<string> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > longestFile) throw new CommandFault(`${path} is too large for a file of keys.`);
    return await file.readFile('utf8');
  } catch (error) {
    if (error instanceof CommandFault) throw error;
    throw new CommandFault(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}

/** The keys in a file of authorised keys, without its comments. */
function keysIn(text: string, path: string): string[] {
  if (/PRIVATE KEY/.test(text))
    throw new CommandFault(
      `${path} is a private key, which is for its owner alone. Name the file with .pub.`,
    );
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (keys.length === 0) throw new CommandFault(`There is no key in ${path}.`);
  return keys;
}

async function listKeys(instance: Instance, user: string): Promise<CommandAnswer> {
  const { database, viewer, identity } = instance;
  const { id, name } = await accountNamed(instance, user);
  const keys = (await identity.readSshKeys(database, viewer, id)).map(presented);
  const rows = keys.map(({ type, fingerprint, comment }) => [type, fingerprint, comment]);
  return listing(keys, ['TYPE', 'FINGERPRINT', 'COMMENT'], rows, `${name} has no SSH keys.`);
}

/** Changes the keys to what is made of them as they are now. */
async function changeKeys(
  { database, viewer, identity, platform }: Instance,
  accountId: number,
  change: (keys: readonly string[]) => readonly string[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.lock(tx.sql.selectFrom('account').select('id').where('id', '=', accountId));
    const keys = change(await identity.readSshKeys(tx, viewer, accountId));
    await platform.operations.replaceSshKeys(tx, viewer, { accountId, keys });
  });
}

const fingerprintOf = (key: string) => presented(key).fingerprint;

async function addKeys(instance: Instance, user: string, path: string): Promise<CommandAnswer> {
  const { id, name } = await accountNamed(instance, user);
  const place = path === '-' ? 'standard input' : path;
  const named = keysIn(path === '-' ? await standardInput() : await textIn(path), place);
  const wrong = named.findIndex((key) => !instance.identity.isSshKey(key));
  if (wrong >= 0)
    throw new CommandFault(`Key ${wrong + 1} in ${place} is not the whole public part of an SSH key.`);
  const added: string[] = [];
  await changeKeys(instance, id, (keys) => {
    const known = new Set(keys.map(fingerprintOf));
    for (const key of named) {
      if (known.has(fingerprintOf(key))) continue;
      known.add(fingerprintOf(key));
      added.push(key);
    }
    return [...keys, ...added];
  });
  const what = added.length === 1 ? '1 SSH key was' : `${added.length} SSH keys were`;
  return { data: added.map(presented), words: `${what} added for ${name}.` };
}

async function removeKey(instance: Instance, user: string, fingerprint: string): Promise<CommandAnswer> {
  const { id, name } = await accountNamed(instance, user);
  await changeKeys(instance, id, (keys) => {
    const rest = keys.filter((key) => fingerprintOf(key) !== fingerprint);
    if (rest.length === keys.length)
      throw new CommandFault(`${name} has no SSH key with the fingerprint ${fingerprint}.`);
    return rest;
  });
  return { data: { fingerprint }, words: `The SSH key ${fingerprint} of ${name} was removed.` };
}
