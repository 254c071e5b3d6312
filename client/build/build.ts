// Builds what `npm pack` puts into the package: JavaScript for Node 20 and browsers, and types, that need nothing but themselves.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { routesText } from './routes-text.ts';

const folder = dirname(import.meta.dirname);
const compiler = join(dirname(folder), 'node_modules', 'typescript', 'bin', 'tsc');

const settings = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
};

/** Sources as they are, but for the routes, which are written out. */
function prepare(place: string): void {
  cpSync(join(folder, 'src'), join(place, 'src'), { recursive: true });
  writeFileSync(join(place, 'src', 'routes.ts'), routesText());
  writeFileSync(join(place, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(settings));
}

function compile(place: string): void {
  const { status } = spawnSync(process.execPath, [compiler, '-p', place], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The client could not be compiled.');
  for (const name of globSync('dist/*.d.ts', { cwd: place })) {
    const file = join(place, name);
    const text = readFileSync(file, 'utf8');
    // The compiler leaves the names of sources in declarations.
    writeFileSync(file, text.replaceAll(/(['"]\.\/[\w-]+)\.ts(['"])/g, '$1.js$2'));
  }
}

/** Puts the new build in the place of the old one only when it is whole. */
function build(): void {
  const place = mkdtempSync(join(folder, '.build-'));
  try {
    prepare(place);
    compile(place);
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    renameSync(join(place, 'dist'), join(folder, 'dist'));
  } finally {
    rmSync(place, { recursive: true });
  }
}

build();
