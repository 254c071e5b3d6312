// Loads the code: the parts of a bundle, with what V8 compiled of them at an earlier start; or the sources, where there is no bundle.
// Node itself keeps what V8 compiles of a module when that is loaded. Its functions are compiled when they are called first, and would be anew at
// every start: a tenth of it. So the parts are scripts, of which all can be kept that a start has called.
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { threadId } from 'node:worker_threads';
import { keepCompiled } from './compiled.mjs';
import { followSourceMaps } from './stacks.mjs';

/** Milliseconds after which a start is over. What is called later is compiled then, and takes no memory where it never is. */
const startTime = 5000;

const require = createRequire(import.meta.url);

/**
 * Gives what loads code by its name below `src`. `bundle`: the address of the bundle that is run, undefined where there is none. `kind`: of the thread
 * or process; each has a place of its own for what is compiled, because they call different functions of the same code.
 */
export function loaderOf(bundle, kind) {
  keepCompiled(bundle, kind);
  followSourceMaps(bundle);
  if (bundle === undefined) return (name) => import(`../src/${name}.ts`);
  const parts = new Parts(fileURLToPath(bundle), kind);
  return async (name) => parts.load(`${name}.js`);
}

class Parts {
  #folder;
  #compiled;
  /** What each part gives to others, by its file. */
  #loaded = new Map();
  /** Parts of which nothing is kept yet. */
  #unkept = new Map();

  constructor(folder, kind) {
    this.#folder = folder;
    // Anything else that matters to V8 makes it refuse what is there, which is then kept anew.
    const version = `${process.version}-${process.arch}`;
    const place = placeFor(folder);
    this.#compiled = place && join(place, kind, version);
    process.once('exit', () => this.#keep());
  }

  load(name) {
    const file = join(this.#folder, name);
    if (!this.#loaded.has(file)) this.#loaded.set(file, this.#run(file));
    return this.#loaded.get(file);
  }

  #run(file) {
    const cachedData = this.#compiled && bytesOf(this.#keptOf(file));
    const script = new vm.Script(readFileSync(file, 'utf8'), {
      filename: pathToFileURL(file).href,
      cachedData,
    });
    if (cachedData === undefined || script.cachedDataRejected) this.#keepLater(file, script);
    const partFrom = (name) => this.load(relative(this.#folder, resolve(dirname(file), name)));
    const loadFrom = (name) => (name.startsWith('.') ? partFrom(name) : require(name));
    // A library is imported from here: Node warns on standard error where a script does it by itself.
    const importFrom = async (name) => (name.startsWith('.') ? partFrom(name) : import(name));
    return script.runInThisContext()(loadFrom, importFrom);
  }

  #keptOf(file) {
    return join(this.#compiled, basename(file, '.js'));
  }

  #keepLater(file, script) {
    if (this.#unkept.size === 0) setTimeout(() => this.#keep(), startTime).unref();
    this.#unkept.set(file, script);
  }

  #keep() {
    try {
      if (this.#compiled !== undefined) this.#write();
    } catch {
      // Nothing can be written there: the next start compiles it anew.
    }
    this.#unkept.clear();
  }

  #write() {
    mkdirSync(this.#compiled, { recursive: true });
    for (const [file, script] of this.#unkept) {
      const kept = this.#keptOf(file);
      const unfinished = `${kept}.${process.pid}-${threadId}`;
      // On the disk before it gets its name: V8 believes what it finds.
      writeFileSync(unfinished, script.createCachedData(), { flush: true });
      renameSync(unfinished, kept);
    }
  }
}

function bytesOf(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Beside the code; in the temporary folder where that is not ours to write to; nowhere if somebody else could write there as well. */
function placeFor(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return join(folder, 'compiled');
  } catch {
    return ownPlace(`atelier-${process.getuid?.()}-${basename(folder)}`);
  }
}

function ownPlace(name) {
  const place = join(tmpdir(), name);
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(place);
    return uid === process.getuid?.() && (mode & 0o777) === 0o700 ? place : undefined;
  } catch {
    return undefined;
  }
}
