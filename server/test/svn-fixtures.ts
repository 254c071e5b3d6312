import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { missingParts } from '../src/svn/index.ts';
import type { Person } from './harness/atelier.ts';

/** Tests of repositories need Subversion; `npm test` says how to install it where it is missing. */
export const lacksSubversion = (await missingParts()) !== undefined;

export interface Repository {
  readonly id: number;
  readonly name: string;
  readonly svn_url: string;
}

export const wholeSettings = {
  commit_rules: { is_reference_mandatory: false, is_commit_message_change_allowed: false },
  immutable_tags: { paths: [] as string[], whitelist: [] as string[] },
  access_file: '',
  email_notifications: [] as unknown[],
};

export async function createRepository(
  person: Person,
  projectId: number,
  name: string,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Repository> {
  const reply = await person.post('/svn', { project_id: projectId, name, settings });
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

export async function changeSettings(
  person: Person,
  id: number,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const reply = await person.put(`/svn/${id}`, { settings: { ...wholeSettings, ...settings } });
  expect(reply.status, reply.text).toBe(200);
}

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** A Subversion client, and the folder in which somebody works with it. */
export class SvnClient {
  readonly folder = mkdtempSync(join(tmpdir(), 'atelier-svn-'));

  async run(
    program: string,
    args: readonly string[],
    { name, password, cwd = this.folder }: { name: string; password: string; cwd?: string },
  ): Promise<Said> {
    const given = ['--non-interactive', '--no-auth-cache', '--config-dir', join(this.folder, '.config')];
    const all = [...args, ...given, '--username', name, '--password', password];
    const child = spawn(program, all, { cwd, env: { ...process.env, LC_ALL: 'C.UTF-8' } });
    let [out, error] = ['', ''];
    child.stdout.on('data', (part) => {
      out += part;
    });
    child.stderr.on('data', (part) => {
      error += part;
    });
    const [code] = await once(child, 'close');
    return { code: Number(code), out, error };
  }

  /** Runs `svn` for somebody who uses their password. */
  svn(person: Person, args: readonly string[], cwd?: string): Promise<Said> {
    return this.run('svn', args, {
      name: person.name,
      password: person.password,
      ...(cwd === undefined ? {} : { cwd }),
    });
  }

  /** Runs `svn`, which must work. */
  async must(person: Person, args: readonly string[], cwd?: string): Promise<string> {
    const { code, out, error } = await this.svn(person, args, cwd);
    expect(code, error).toBe(0);
    return out;
  }

  /** Runs `svnmucc`: many changes in one commit, without a working copy. */
  mucc(person: Person, url: string, message: string, ...actions: string[]): Promise<Said> {
    const { name, password } = person;
    return this.run('svnmucc', ['-U', url, '-m', message, ...actions], { name, password });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
