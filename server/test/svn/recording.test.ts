import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/storage/index.ts';
import { createProject, databaseOf } from '../fixtures/project.ts';
import { createRepository, lacksSubversion, type Repository, SvnClient } from '../fixtures/svn.ts';
import { type Atelier, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';

/** What lets no commit be written down, as while the database is away. */
const breaking = {
  SQLite: ["create trigger no_commits before insert on svn_commit begin select raise(abort, 'away'); end"],
  PostgreSQL: [
    "create function no_commits() returns trigger language plpgsql as $$ begin raise exception 'away'; end $$",
    'create trigger no_commits before insert on svn_commit execute function no_commits()',
  ],
};
const mending = {
  SQLite: 'drop trigger if exists no_commits',
  PostgreSQL: 'drop function if exists no_commits() cascade',
};

describe.skipIf(lacksSubversion).each(usuallyOn('PostgreSQL'))(
  'commits that could not be written down, on %s',
  (engine) => {
    let atelier: Atelier;
    let database: Database;
    let alice: Person;
    let project: number;
    let tracker: { id: number; fields: { field_id: number; name: string }[] };
    const client = new SvnClient();
    beforeAll(async () => {
      atelier = await startAtelier(engine);
      database = await databaseOf(atelier);
      alice = await atelier.createUser('alice');
      project = (await createProject(alice, 'Pump', { xml_template_name: 'issues' })).id;
      [tracker] = (await alice.get(`/projects/${project}/trackers`)).body;
    });
    afterAll(async () => {
      await database?.close();
      await atelier?.stop();
      client.remove();
    });

    const run = (...statements: readonly string[]) =>
      database.exclusiveTransaction(async (_, session) => {
        for (const sql of statements) await session.run({ sql, values: [] });
      });
    const away = () => run(...breaking[engine]);
    const back = () => run(mending[engine]);
    afterEach(back);

    const repositoryNamed = (name: string) => createRepository(alice, project, name, { layout: ['trunk'] });

    const commit = ({ svn_url }: Repository, message: string) =>
      client.mucc(alice, svn_url, message, 'mkdir', `trunk/${randomBytes(4).toString('hex')}`);

    async function createArtifact(): Promise<number> {
      const fieldId = tracker.fields.find(({ name }) => name === 'summary')?.field_id;
      const values = [{ field_id: fieldId, value: 'The pump leaks' }];
      const { status, text, body } = await alice.post('/artifacts', { tracker: { id: tracker.id }, values });
      expect(status, text).toBe(201);
      return body.id;
    }

    async function revisionsNaming(id: number): Promise<number[]> {
      const { values } = (await alice.get(`/artifacts/${id}`)).body;
      const { value } = values.find(({ type }: { type: string }) => type === 'cross');
      return value.map((reference: { commit: { revision: number } }) => reference.commit.revision).sort();
    }

    test('are with the next one, and whoever made them was told that this would come', async () => {
      const id = await createArtifact();
      const repository = await repositoryNamed('next');
      await away();
      const lost = await commit(repository, `Turn the valve, art #${id}`);
      expect(lost.code, lost.error).toBe(0);
      expect(lost.out + lost.error).toContain('references and mails follow');
      expect(await revisionsNaming(id)).toEqual([]);
      await back();
      const next = await commit(repository, `Turn it back, art #${id}`);
      expect([next.code, next.out + next.error]).toEqual([0, expect.not.stringContaining('arning')]);
      expect(await revisionsNaming(id)).toEqual([2, 3]);
      expect((await alice.get(`/svn/${repository.id}`)).body.last_commit.revision).toBe(3);
    });

    test('are written down by themselves, the first of a repository as well', async () => {
      const id = await createArtifact();
      const repository = await repositoryNamed('alone');
      await away();
      for (const words of ['Begin', 'Go on']) await commit(repository, `${words}, art #${id}`);
      await back();
      // The job is due twice a minute.
      await run("update job set due_at = 0 where name = 'record-commits'");
      await eventually(async () => expect(await revisionsNaming(id)).toEqual([2, 3]));
      expect((await alice.get(`/svn/${repository.id}`)).body.last_commit.revision).toBe(3);
    });
  },
);
