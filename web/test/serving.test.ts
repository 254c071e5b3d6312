import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Atelier, startAtelier } from '../../server/test/harness/atelier.ts';
import { eventually } from '../../server/test/harness/eventually.ts';

let atelier: Atelier;

const page = (path: string, init: RequestInit = {}) =>
  fetch(atelier.url + path, { headers: { Accept: 'text/html' }, redirect: 'manual', ...init });

beforeAll(async () => {
  atelier = await startAtelier('SQLite', { env: { ATELIER_WEB: '1' } });
  await eventually(async () => expect((await page('/')).status).toBe(200));
});
afterAll(() => atelier.stop());

/** The files that the document names. */
async function assets(): Promise<string[]> {
  const html = await (await page('/')).text();
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
}

describe('the document', () => {
  const addresses = [
    '/',
    '/login?return_to=/artifacts/42',
    '/password/lost',
    '/projects/web-shop/members',
    '/trackers/12?f=status:101',
    '/artifacts/42',
    '/svn/3/tree/trunk/a%20file.txt',
    '/users/ada',
    '/account/keys',
    '/admin/health',
    '/help/keys',
  ];

  test.each(addresses)('%s is a page of the application', async (address) => {
    const { status, headers } = await page(address);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  });

  test('it is small, is not kept, and has a policy with a nonce of its own', async () => {
    const [one, other] = [await page('/'), await page('/')];
    expect(one.headers.get('Cache-Control')).toBe('no-cache');
    expect(one.headers.get('Etag')).toBeNull();
    const html = await one.text();
    expect(html.length).toBeLessThan(3072);
    const policy = one.headers.get('Content-Security-Policy') ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(html).toContain(`<meta property="csp-nonce" nonce="${nonce}">`);
    expect(other.headers.get('Content-Security-Policy')).not.toBe(policy);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
  });

  describe('it names what its page begins with', () => {
    const linked = async (path: string, headers: Record<string, string>) => {
      const html = await (await page(path, { headers: { Accept: 'text/html', ...headers } })).text();
      expect(html.length).toBeLessThan(3072);
      const links = [
        ...html.matchAll(/<link rel="(?:modulepreload|preload" as="style)" crossorigin href="([^"]+)">/g),
      ];
      return links.map(([, path]) => path ?? '');
    };
    const signedIn = { Cookie: 'other=1; atelier_session=some' };
    const names = (paths: readonly string[]) =>
      paths.map((path) =>
        path.replace(/^\/assets\/|-[\w-]{8}\.(?=\w+$)/g, (part) => (part.startsWith('-') ? '.' : '')),
      );

    test.each([
      '/',
      '/trackers/12?f=status:101',
      '/artifacts/42',
      '/projects/web-shop',
      '/admin/health',
      '/svn/3',
      '/help',
    ])('%s, with files that are there', async (address) => {
      const paths = await linked(address, signedIn);
      expect(new Set(paths).size).toBe(paths.length);
      for (const path of paths)
        expect({ path, status: (await page(path)).status }).toEqual({ path, status: 200 });
      expect(names(paths)).toEqual(expect.arrayContaining(['en.js', 'pages.js', 'pages.css']));
    });

    test('the table its rows, in the language that is spoken', async () => {
      expect(names(await linked('/trackers/12', signedIn))).toContain('rows.js');
      expect(
        names(await linked('/trackers/12', { ...signedIn, 'Accept-Language': 'fr-CH, en;q=0.5' })),
      ).toContain('fr.js');
    });

    test('nothing but the language to those who must sign in first, and at addresses that lead nowhere', async () => {
      expect(names(await linked('/trackers/12', {}))).toEqual(['en.js']);
      for (const address of ['/nowhere', '/constructor', '/__proto__/x'])
        expect(names(await linked(address, signedIn))).toEqual(['en.js']);
    });
  });

  test('an address that leads nowhere is 404 with the same document; programs get words of the API', async () => {
    const lost = await page('/nowhere/at/all');
    expect(lost.status).toBe(404);
    expect(await lost.text()).toContain('<div id="root">');
    const program = await page('/nowhere/at/all', { headers: { Accept: '*/*' } });
    expect(program.status).toBe(404);
    expect(await program.json()).toEqual({ error: { code: 404, message: 'Not Found' } });
    const api = await page('/api/nowhere');
    expect(api.status).toBe(404);
    expect(api.headers.get('Content-Type')).toContain('json');
  });

  test('pictures of people are still there, beside their pages', async () => {
    expect((await page('/users/ada/avatar.png')).headers.get('Content-Type')).toBe('image/png');
  });
});

describe('addresses that the API hands out, and those of Tuleap', () => {
  test.each([
    ['/plugins/tracker/?aid=42', '/artifacts/42'],
    ['/plugins/tracker/?tracker=12', '/trackers/12'],
    ['/plugins/tracker/?tracker=12&report=5', '/trackers/12?report=5'],
    ['/plugins/tracker/?tracker=12&func=new-artifact', '/trackers/12/new'],
    ['/plugins/tracker/?tracker=12&func=admin-formElements', '/trackers/12/admin/general'],
    ['/plugins/tracker/?report=5', '/trackers/by-report/5'],
    ['/plugins/tracker/?group_id=101', '/projects/101/trackers'],
    ['/plugins/svn/?group_id=101', '/projects/101/svn'],
    ['/goto?key=art&val=42&group_id=101', '/artifacts/42'],
    ['/goto?key=bug&val=7', '/artifacts/7'],
    ['/goto?key=rev&val=site%2F12&group_id=101', '/projects/101/svn/site/revisions/12'],
    ['/goto?key=wiki&val=Home%20page', '/help/reference?key=wiki&val=Home+page'],
    [
      '/plugins/svn/trunk/a%20b.txt?roottype=svn&root=shop%2Fsite',
      '/projects/shop/svn/site/tree/trunk/a%20b.txt',
    ],
    [
      '/plugins/svn/?roottype=svn&root=shop%2Fsite&view=rev&revision=9',
      '/projects/shop/svn/site/revisions/9',
    ],
    ['/plugins/svn/trunk?root=shop%2Fsite&r1=3&r2=5', '/projects/shop/svn/site/compare/trunk?from=3&to=5'],
    ['/plugins/svn/trunk?root=shop%2Fsite&view=log', '/projects/shop/svn/site/log/trunk'],
    ['/plugins/svn/trunk/a.c?root=shop%2Fsite&annotate=4', '/projects/shop/svn/site/blame/trunk/a.c?rev=4'],
    ['/my/', '/'],
    ['/account/', '/account/profile'],
    ['/account/keys-tokens.php', '/account/keys'],
    ['/account/login.php', '/login'],
    ['/search/?words=lamp%20oil', '/search?words=lamp+oil'],
  ])('%s leads to %s', async (address, location) => {
    const { status, headers } = await page(address);
    expect({ status, location: headers.get('Location') }).toEqual({ status: 302, location });
  });

  test('what was no such address is told so', async () => {
    for (const address of ['/plugins/tracker/?aid=x', '/plugins/tracker/', '/plugins/svn/?root=..%2F..'])
      expect({ address, status: (await page(address)).status }).toEqual({ address, status: 404 });
  });
});

describe('its files', () => {
  const asked = (path: string, encoding: string) => page(path, { headers: { 'Accept-Encoding': encoding } });

  test('are kept for good, and come in the smallest form that the browser takes', async () => {
    const script = (await assets()).find((path) => path.includes('index-'))!;
    const plain = await asked(script, 'identity');
    expect(plain.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(plain.headers.get('Content-Encoding')).toBeNull();
    expect(plain.headers.get('Vary')).toBe('Accept-Encoding');
    // fetch unpacks by itself.
    const brotli = await asked(script, 'gzip, br');
    expect(brotli.headers.get('Content-Encoding')).toBe('br');
    const gzip = await asked(script, 'gzip');
    expect(gzip.headers.get('Content-Encoding')).toBe('gzip');
    const text = await plain.text();
    expect(await brotli.text()).toBe(text);
    expect(await gzip.text()).toBe(text);
  });

  test('what a page loads before it can draw anything is small', async () => {
    const sizes = new Map<string, number>();
    for (const path of await assets()) {
      const { headers } = await asked(path, 'gzip');
      const kind = path.split('.').at(-1)!;
      sizes.set(kind, (sizes.get(kind) ?? 0) + Number(headers.get('Content-Length')));
    }
    expect(sizes.get('js')).toBeLessThan(160_000);
    expect(sizes.get('css') ?? 0).toBeLessThan(30_000);
  });

  test('nothing else of the folder can be read', async () => {
    for (const path of ['/assets/..%2Findex.html', '/assets/nothing.js', '/index.html'])
      expect({ path, status: (await asked(path, 'br')).status }).toEqual({ path, status: 404 });
  });

  test('those with names that others know are asked about before each use', async () => {
    const icon = await page('/favicon.svg');
    expect(icon.headers.get('Content-Type')).toBe('image/svg+xml');
    const etag = icon.headers.get('Etag') ?? '';
    expect((await page('/favicon.svg', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });
});

test('a command tells that there is nothing to build, and where the build is', async () => {
  const { code, stdout } = await atelier.cli('web', 'build', '--json');
  expect(code).toBe(0);
  const { digest, folder } = JSON.parse(stdout);
  expect(folder.endsWith(digest)).toBe(true);
  expect((await atelier.anonymous.get('/platform/about')).body.build).toBe(digest);
  const doctor = await atelier.cli('doctor', '--json');
  expect(JSON.parse(doctor.stdout).checks).toContainEqual({
    about: 'web application',
    state: 'ok',
    says: `Build ${digest} is served.`,
  });
});
