import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buildScript, digestOfSources, isBuilt, isCompressed } from './sources.ts';

/** What there is to serve of the web application. `off`: nobody wants it served. */
export type WebState =
  | { readonly kind: 'off' | 'building' }
  | { readonly kind: 'built'; readonly digest: string }
  | { readonly kind: 'failed'; readonly words: string };

/** Bytes of what a build says that are worth keeping: its last words tell why it failed. */
const lastWords = 4000;

/**
 * Runs the build of some sources to its end, in a process of its own, which ends with this one: Vite takes more memory than the whole server.
 * `onBuilt` is called when there is something to serve. What follows makes it smaller.
 */
async function run(digest: string, onBuilt: () => void): Promise<string | undefined> {
  const child = spawn(process.execPath, [buildScript, digest], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    words = (words + part).slice(-lastWords);
  });
  child.on('message', onBuilt);
  const [code] = await once(child, 'close');
  return code === 0 ? undefined : words.trim() || `it ended with code ${code}`;
}

/**
 * Tells at once whether the web application is there, and builds it if it is not, as the sources are by then. Tells again whenever there
 * is something else to serve: a build, the same one in fewer bytes, or the reason why there is none.
 */
export async function provideWeb(tell: (state: WebState) => void): Promise<WebState> {
  const digest = digestOfSources();
  const built: WebState = { kind: 'built', digest };
  tell(isBuilt(digest) ? built : { kind: 'building' });
  if (isCompressed(digest)) return built;
  const fault = await run(digest, () => tell(built));
  if (isBuilt(digest)) {
    tell(built);
    return built;
  }
  // Somebody changed a file meanwhile.
  if (digestOfSources() !== digest) return provideWeb(tell);
  const failed: WebState = { kind: 'failed', words: fault ?? 'it left nothing behind' };
  tell(failed);
  return failed;
}
