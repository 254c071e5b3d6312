import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Caller, startServer } from './atelier.ts';
import { eventually } from './eventually.ts';
import { cheapHashing } from './prepared.ts';

/** A first start as newcomers have it, with the demo project. */
export interface Demo {
  readonly url: string;
  /** What the access key that is printed at the start is sent as. */
  readonly key: Readonly<Record<string, string>>;
  readonly admin: Caller;
  stop(): Promise<void>;
}

/** `mail`: whether it sends mails, to a server that is not there. */
export async function startDemo({ mail = false }: { mail?: boolean } = {}): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-demo-'));
  const server = await startServer({
    ATELIER_ARGON2_MEMORY: String(cheapHashing.memory),
    ATELIER_ARGON2_PASSES: String(cheapHashing.passes),
    ATELIER_HTTP_THREADS: '1',
    ATELIER_DATA: join(folder, 'data'),
    ATELIER_PORT: '0',
    ATELIER_HOST: '127.0.0.1',
    ATELIER_APT: '0',
    ATELIER_DEMO: '1',
    ...(mail ? { ATELIER_SMTP_URL: 'smtp://127.0.0.1:9' } : {}),
  });
  const key = { 'X-Auth-AccessKey': /X-Auth-AccessKey: (\S+?)['"]/.exec(server.output())?.[1] ?? '' };
  const admin = new Caller(server.url, key);
  await eventually(async () => expect((await admin.get('/projects')).body).not.toEqual([]));
  const stop = async () => {
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: server.url, key, admin, stop };
}
