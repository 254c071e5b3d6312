import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { buildsFolder, folderOf, type WebState } from '../web-build/index.ts';

/** A file of the application, in the forms in which it can be sent. */
export interface WebFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

/** What a browser is given as a page, with the nonce that its policy names. */
export interface WebDocument {
  readonly html: string;
  readonly nonce: string;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Undefined where there is no such file. */
const bytesOf = (path: string) => readFile(path).catch(() => undefined);

async function readWebFile(path: string): Promise<WebFile | undefined> {
  const type = types[extname(path)];
  const plain = type === undefined ? undefined : await bytesOf(path);
  if (type === undefined || plain === undefined) return undefined;
  return { type, plain, br: await bytesOf(`${path}.br`), gzip: await bytesOf(`${path}.gz`) };
}

/** What a document is asked for. */
export interface Visit {
  /** The first part of the address. */
  readonly place: string;
  /** As the browser tells them, the dearest first. */
  readonly languages: string;
  /** Whoever is not would be asked to sign in first. */
  readonly isSignedIn: boolean;
}

/** Files that pages begin with, by the first part of their addresses and by language, as the build wrote them down. */
interface FilesAhead {
  readonly places: Readonly<Record<string, readonly string[]>>;
  readonly languages: Readonly<Record<string, readonly string[]>>;
}

const linkTo = (file: string) =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`;

/** Names in the document what the browser would else learn of when the first script has arrived and run. */
function withLinks(document: string, { places, languages }: FilesAhead, visit: Visit): string {
  // Which of both is spoken is decided by the page; this is what it will most likely be.
  const language = /^fr\b/i.test(visit.languages) ? 'fr' : 'en';
  const room = visit.isSignedIn && Object.hasOwn(places, visit.place) ? places[visit.place] : [];
  const files = [...(languages[language] ?? []), ...(room ?? [])].filter((file) => !document.includes(file));
  return document.replace('</head>', `${files.map(linkTo).join('\n')}\n</head>`);
}

/** In the built document, where each answer has a nonce of its own. */
const placeOfNonce = 'NONCE';

/** The web application as one thread serves it: files are read when they are asked for, and remembered. */
export class WebApplication {
  #state: WebState;
  #document: string | undefined;
  #filesAhead: FilesAhead | undefined;
  readonly #files = new Map<string, Promise<WebFile | undefined>>();

  constructor(state: WebState) {
    this.#state = state;
  }

  /** There is another build, or the same one in fewer bytes. */
  renew(state: WebState): void {
    this.#state = state;
    this.#document = undefined;
    this.#filesAhead = undefined;
    this.#files.clear();
  }

  get state(): WebState {
    return this.#state;
  }

  /** Names the build that is served; undefined while there is none. */
  get digest(): string | undefined {
    return this.#state.kind === 'built' ? this.#state.digest : undefined;
  }

  /** Undefined while there is no build. */
  document(visit: Visit): WebDocument | undefined {
    if (this.digest === undefined) return undefined;
    const folder = folderOf(this.digest);
    this.#document ??= readFileSync(join(folder, 'index.html'), 'utf8');
    this.#filesAhead ??= JSON.parse(readFileSync(join(folder, 'ahead.json'), 'utf8')) as FilesAhead;
    const nonce = randomBytes(16).toString('base64');
    const html = withLinks(this.#document, this.#filesAhead, visit);
    return { nonce, html: html.replaceAll(placeOfNonce, nonce) };
  }

  /** A file below the folder of the build, by a path that was checked to lead nowhere else. */
  file(path: string): Promise<WebFile | undefined> {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const reading = this.#read(path);
    this.#files.set(path, reading);
    const forget = () => this.#files.delete(path);
    // Only what there is may stay: else whoever asks for all kinds of names fills the memory. What could not be read may be read later.
    reading.then((file) => file === undefined && forget(), forget);
    return reading;
  }

  /** Pages that were opened before an upgrade ask for parts of builds before this one. */
  async #read(path: string): Promise<WebFile | undefined> {
    const { digest } = this;
    if (digest === undefined) return undefined;
    const current = await readWebFile(join(folderOf(digest), path));
    if (current !== undefined || !path.startsWith('assets/')) return current;
    for (const build of await readdir(buildsFolder)) {
      const older = await readWebFile(join(buildsFolder, build, path));
      if (older !== undefined) return older;
    }
    return undefined;
  }
}
