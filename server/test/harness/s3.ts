import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { endsWithTests } from './processes.ts';

const library = createRequire(import.meta.url).resolve('@20minutes/s3rver');
const bucket = 'attachments';

/** A real S3-compatible server from npm, with one bucket, for as long as somebody needs it. */
export interface S3Server {
  readonly endpoint: string;
  /** What a process of the product needs to keep its files there. */
  readonly environment: Readonly<Record<string, string>>;
  /** All objects. */
  keys(): string[];
  /** The file that holds an object. */
  pathOf(key: string): string;
  /** Makes an object of another one behind the server's back: many of them are made faster so. */
  copy(key: string, other: string): void;
  stop(): Promise<void>;
}

/** The only key that the server knows. */
export const s3Keys = { accessKey: 'S3RVER', secretKey: 'S3RVER' };

/** Starts a server that keeps its objects in the folder, also those of the last time. */
export async function startS3(folder: string, port = 0): Promise<S3Server> {
  const options = { directory: folder, address: '127.0.0.1', port, silent: true, vhostBuckets: false };
  const all = { ...options, configureBuckets: [{ name: bucket, configs: [] }] };
  const run = `new (require('${library}'))(${JSON.stringify(all)}).run()`;
  const program = `${run}.then(({ address, port }) => console.log('listening on %s:%d', address, port))`;
  // Its lists are continued with tokens that it encrypts in an old way.
  const server = endsWithTests(spawn(process.execPath, ['--openssl-legacy-provider', '--eval', program]));
  const endpoint = await new Promise<string>((resolve, reject) => {
    let output = '';
    server.stdout.setEncoding('utf8').on('data', (part: string) => {
      output += part;
      const address = /listening on (\S+)/.exec(output)?.[1];
      if (address !== undefined) resolve(`http://${address}`);
    });
    server.once('exit', (code) => reject(new Error(`The S3 server ended with code ${code}.`)));
  });
  const pathOf = (key: string, part: string) => join(folder, bucket, `${key}._S3rver_${part}`);
  return {
    endpoint,
    environment: {
      ATELIER_BLOBS: `s3://${bucket}/forge?endpoint=${endpoint}`,
      ATELIER_S3_ACCESS_KEY: s3Keys.accessKey,
      ATELIER_S3_SECRET_KEY: s3Keys.secretKey,
    },
    keys: () =>
      readdirSync(join(folder, bucket), { recursive: true, encoding: 'utf8' }).flatMap(
        (path) => /^(.*)\._S3rver_object$/.exec(path)?.[1] ?? [],
      ),
    pathOf: (key) => pathOf(key, 'object'),
    copy: (key, other) => {
      for (const part of ['object', 'object.md5', 'metadata.json'])
        if (key !== other) copyFileSync(pathOf(key, part), pathOf(other, part));
    },
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
  };
}
