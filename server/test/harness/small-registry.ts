import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { create } from 'tar';

/** Packages of one file, which says what they are; `outer` needs `inner`, and `plain` takes its file for a program. */
const names = ['plain', 'outer', 'inner', 'tool'] as const;
const versions = ['1.0.0', '2.0.0'];

const needsOf = (name: string) => (name === 'outer' ? { inner: '*' } : {});

const programsOf = (name: string) => (name === 'plain' ? { bin: { plain: 'said.txt' } } : {});

/** A registry of npm with a few tiny packages, which knows what was taken from it. */
export class SmallRegistry {
  readonly #folder: string;
  readonly #server: Server;
  #taken: string[] = [];
  #asked: string[] = [];
  /** Where packages lie: most registries have this. */
  way = '/-/';

  private constructor(folder: string) {
    this.#folder = folder;
    for (const name of names) for (const version of versions) this.#pack(name, version);
    this.#server = createServer(({ url = '/' }, response) => {
      const [name = '', file] = url.slice(1).split(this.way);
      if (name.includes('/')) return void response.writeHead(404).end('{}');
      if (file === undefined) {
        this.#asked.push(name);
        return void response.end(JSON.stringify(this.#facts(name)));
      }
      this.#taken.push(file);
      response.end(readFileSync(this.#fileOf(file)));
    });
  }

  static async open(folder: string): Promise<SmallRegistry> {
    const registry = new SmallRegistry(folder);
    await once(registry.#server.listen(0, '127.0.0.1'), 'listening');
    return registry;
  }

  get address(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/`;
  }

  /** What was taken since somebody asked. */
  takenSince(): string[] {
    const taken = this.#taken.sort();
    this.#taken = [];
    return taken;
  }

  /** Of what packages it had to tell all that it knows, since somebody asked. */
  askedSince(): string[] {
    const asked = this.#asked.sort();
    this.#asked = [];
    return asked;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** What a lock says of a package. */
  locked(name: string, version: string) {
    const digest = createHash('sha512').update(readFileSync(this.#fileOf(`${name}-${version}.tgz`)));
    const integrity = `sha512-${digest.digest('base64')}`;
    return { version, integrity, dependencies: needsOf(name), ...programsOf(name) };
  }

  #fileOf(file: string): string {
    return join(this.#folder, file);
  }

  #pack(name: string, version: string): void {
    const source = join(this.#folder, `${name}-${version}`);
    mkdirSync(join(source, 'package'), { recursive: true });
    const facts = { name, version, dependencies: needsOf(name), ...programsOf(name) };
    writeFileSync(join(source, 'package', 'package.json'), JSON.stringify(facts));
    writeFileSync(join(source, 'package', 'said.txt'), `${name} ${version}`);
    create({ gzip: true, sync: true, cwd: source, file: this.#fileOf(`${name}-${version}.tgz`) }, [
      'package',
    ]);
  }

  #facts(name: string) {
    const each = versions.map((version) => {
      const { integrity, ...facts } = this.locked(name, version);
      const dist = { integrity, tarball: `${this.address}${name}${this.way}${name}-${version}.tgz` };
      return [version, { name, ...facts, dist }];
    });
    return { name, 'dist-tags': { latest: versions.at(-1) }, versions: Object.fromEntries(each) };
  }
}
