import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';

/** A Chromium of one's own, for machines that the packaged one is not made for. */
const ownBrowser = process.env['ATELIER_TEST_BROWSER'];

/** The packaged Chromium is for Linux on x86-64. */
export const lacksBrowser =
  ownBrowser === undefined && !(process.platform === 'linux' && process.arch === 'x64');

interface Unpacked {
  readonly executablePath: string;
  /** Shared libraries that a small Linux does not have. */
  readonly libraries: string;
  remove(): void;
}

const unpackingScript = `
  const { default: chromium } = await import(process.argv[1]);
  await chromium.executablePath();
`;

/** Lets the package unpack itself into a folder: it takes the folder for temporary files, and needs two seconds. */
async function unpackInto(folder: string, packageUrl: string): Promise<void> {
  // It brings its libraries along on the platforms that it knows to have none; this names one of them.
  const env = { ...process.env, TMPDIR: folder, VERCEL: '1' };
  const args = ['--input-type=module', '--eval', unpackingScript, packageUrl];
  const [code] = await once(spawn(process.execPath, args, { env, stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error('Chromium could not be unpacked.');
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Unpacked once for each version, beside what other tools keep; for this run alone where nothing can be kept. */
async function unpacked(): Promise<Unpacked> {
  const packageUrl = import.meta.resolve('@sparticuz/chromium');
  const home = fileURLToPath(new URL('..', packageUrl));
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const cache = join(dirname(dirname(home)), '.cache');
  const at = (folder: string, remove = () => {}) => ({
    executablePath: join(folder, 'chromium'),
    libraries: join(folder, 'al2023', 'lib'),
    remove,
  });
  const kept = join(cache, `chromium-${version}`);
  if (may(join(kept, 'chromium'), constants.X_OK)) return at(kept);
  // One that is there belongs to another user.
  const place = existsSync(cache) ? cache : dirname(cache);
  const canBeKept = !existsSync(kept) && may(place, constants.W_OK);
  if (canBeKept) mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(canBeKept ? cache : tmpdir(), 'chromium-'));
  await unpackInto(fresh, packageUrl);
  const remove = () => rmSync(fresh, { recursive: true, force: true });
  if (!canBeKept) return at(fresh, remove);
  // Whoever was quicker has put the same there.
  if (existsSync(kept)) remove();
  else renameSync(fresh, kept);
  return at(kept);
}

/** A machine without any fonts has no word of where they are either, and the browser ends at the first sign that it looks for: it brings some along. */
function fontsOf({ executablePath }: Unpacked): Readonly<Record<string, string>> {
  if (existsSync('/etc/fonts/fonts.conf')) return {};
  const folder = join(dirname(executablePath), 'fonts');
  const file = join(mkdtempSync(join(tmpdir(), 'fonts-')), 'fonts.conf');
  writeFileSync(file, `<fontconfig><dir>${folder}</dir><cachedir>${dirname(file)}</cachedir></fontconfig>`);
  return { FONTCONFIG_FILE: file };
}

/** A real browser without a window, which reaches nothing but this machine. */
export interface TestBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Pages of tests are too short for what making code quicker, or tidying up early, would save: a twelfth of the processor's time. */
const forShortPages = ['--js-flags=--no-opt --no-maglev --min-semi-space-size=8'];

export async function startBrowser(more: readonly string[] = forShortPages): Promise<TestBrowser> {
  const found = ownBrowser === undefined ? await unpacked() : undefined;
  const own = found === undefined ? {} : { LD_LIBRARY_PATH: found.libraries, ...fontsOf(found) };
  const browser = await chromium.launch({
    executablePath: found?.executablePath ?? ownBrowser ?? '',
    args: [
      // Root has no sandbox; what is looked at here comes from the tests themselves.
      '--no-sandbox',
      '--disable-gpu',
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      ...more,
    ],
    env: { ...process.env, ...own },
  });
  const close = async () => {
    await browser.close();
    found?.remove();
  };
  return { browser, close };
}

/** It outlives the file that began it, and what it loaded. */
const known: unique symbol = Symbol.for('atelier.test.browser');
const everywhere = Object.assign<typeof globalThis, { [known]?: Promise<TestBrowser> }>(globalThis, {});

/**
 * The browser that all files of this process use, one after another: a start takes a second of the processor. Visits are apart in
 * contexts of their own, which whoever opens them closes. It ends with this process.
 */
export async function lendBrowser(): Promise<Browser> {
  const { browser } = (await everywhere[known]) ?? {};
  if (browser?.isConnected()) return browser;
  everywhere[known] = startBrowser();
  return (await everywhere[known]).browser;
}
