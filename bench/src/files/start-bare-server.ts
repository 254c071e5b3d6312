import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { exited, freePort, spawnNode } from '../processes.ts';
import { RunningServer } from '../running-server.ts';

const program = fileURLToPath(new URL('./bare-server.ts', import.meta.url));

/** A bare `node:http` that gives each of these files under its number. */
export async function startBareServer(paths: readonly string[]): Promise<RunningServer> {
  const port = await freePort();
  const child = spawnNode([program, String(port), ...paths], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = exited(child).then((code) => {
    throw new Error(`The bare server ended with ${code} before it listened`);
  });
  await Promise.race([once(child, 'message'), ended]);
  return new RunningServer(child, port);
}
