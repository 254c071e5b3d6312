import { writeFileSync } from 'node:fs';
import { startAtelier } from '../harness/atelier.ts';

/** Starts a server, and tells whoever started this run which one. */
export async function startAndTell(): Promise<void> {
  const { server, instance } = await startAtelier('PostgreSQL', { isAlone: true });
  const facts = { pid: server.child.pid, folder: instance.folder };
  writeFileSync(String(process.env['LEFTOVERS_TELL']), JSON.stringify(facts));
}
