import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { submit } from './artifact-fixtures.ts';
import { type Atelier, Person, type Reply } from './harness/atelier.ts';
import { createGroup, createProject, databaseOf, setMembers } from './project-fixtures.ts';
import {
  addField,
  createTracker,
  fieldNamed,
  readTracker,
  setPermissions,
  setSemantics,
  valueIds,
} from './tracker-fixtures.ts';

const elements = [
  { type: 'string', name: 'title' },
  { type: 'text', name: 'text' },
  { type: 'sb', name: 'status', bind: { type: 'static', values: [{ label: 'open' }, { label: 'closed' }] } },
  { type: 'int', name: 'effort' },
  { type: 'computed', name: 'effort_sum' },
  { type: 'file', name: 'file' },
  { type: 'art_link', name: 'links' },
  { type: 'perm', name: 'perm' },
  { type: 'cross', name: 'cross' },
  { type: 'priority', name: 'rank' },
  { type: 'atid', name: 'number' },
];

/** How often the caller may delete, and how often they still may, as an answer says. */
export const limitsIn = ({ headers }: Reply) => [
  headers.get('x-ratelimit-limit'),
  headers.get('x-ratelimit-remaining'),
];

/** A tracker from which artifacts are deleted. Alice administers it by a group, bob is a member of its project. */
export class Yard {
  readonly atelier: Atelier;
  readonly projectId: number;
  readonly trackerId: number;
  readonly itemName: string;
  /** Ids of the fields by name. */
  readonly ids: Readonly<Record<string, number>>;
  /** Ids of the values of the status by label. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The group that administers the tracker. */
  readonly group: string;
  #alice: Person;

  private constructor(
    atelier: Atelier,
    alice: Person,
    facts: Pick<Yard, 'projectId' | 'trackerId' | 'itemName' | 'ids' | 'statuses' | 'group'>,
  ) {
    this.atelier = atelier;
    this.#alice = alice;
    this.projectId = facts.projectId;
    this.trackerId = facts.trackerId;
    this.itemName = facts.itemName;
    this.ids = facts.ids;
    this.statuses = facts.statuses;
    this.group = facts.group;
  }

  static async create(atelier: Atelier, shortname: string, alice: Person, bob: Person): Promise<Yard> {
    const { admin } = atelier;
    const { id: projectId } = await createProject(admin, shortname);
    const { id: trackerId, item_name: itemName } = await createTracker(admin, projectId, {
      has_private_comments: true,
    });
    const ids: Record<string, number> = {};
    for (const element of elements) ids[element.name] = (await addField(admin, trackerId, element)).field_id;
    await setSemantics(admin, trackerId, { title: { field_id: ids['title'] } });
    const group = await createGroup(admin, projectId, 'keepers');
    await setMembers(admin, group, [alice]);
    await setMembers(admin, `${projectId}_3`, [alice, bob]);
    await setPermissions(admin, trackerId, { can_access: ['1'], can_admin: [group] });
    const { fields } = await readTracker(admin, trackerId);
    const statuses = valueIds(fieldNamed({ fields }, 'status'));
    return new Yard(atelier, alice, { projectId, trackerId, itemName, ids, statuses, group });
  }

  /** Alice, wherever the service listens now. */
  get alice(): Person {
    return new Person(this.atelier.url, { ...this.#alice });
  }

  submit(title: string, more: readonly Readonly<Record<string, unknown>>[] = []): Promise<number> {
    return submit(this.alice, this.trackerId, [{ field_id: this.ids['title'], value: title }, ...more]);
  }

  delete(id: number, caller = this.alice): Promise<Reply> {
    return caller.delete(`/artifacts/${id}`);
  }

  async deleted(id: number): Promise<Reply> {
    const reply = await this.delete(id);
    expect(reply.status, reply.text).toBe(200);
    return reply;
  }

  restore(id: number, caller = this.alice): Promise<Reply> {
    return caller.post(`/deleted_artifacts/${id}/restore`);
  }

  async restored(id: number): Promise<void> {
    const { status, body, text } = await this.restore(id);
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ id, uri: `artifacts/${id}`, tracker: { id: this.trackerId } });
  }

  get folder(): string {
    return join(this.atelier.instance.folder, 'deleted');
  }

  /** Names of the archives of an artifact. */
  archivesOf(id: number, folder = this.folder): string[] {
    return readdirSync(folder).filter((name) => name.startsWith(`deleted_artifact_${id}_`));
  }

  /** How many deletions of somebody are counted. */
  async countedOf(person: Person): Promise<number> {
    const database = await databaseOf(this.atelier);
    const own = database.sql.selectFrom('artifact_deletion').select('id').where('account_id', '=', person.id);
    return (await database.all(own).finally(() => database.close())).length;
  }

  /** Gives an artifact a history of so many more changesets, each with the effort of its number. */
  async lengthen(id: number, changesets: number): Promise<void> {
    const database = await databaseOf(this.atelier);
    const columns = ['artifact_id', 'submitted_by', 'submitted_on', 'changes', 'comment'] as const;
    const rows = Array.from(
      { length: changesets },
      (_, index) => [id, this.#alice.id, Date.now(), `{"${this.ids['effort']}":${index}}`, null] as const,
    );
    await database
      .transaction((tx) => tx.insertMany('changeset', columns, rows))
      .finally(() => database.close());
  }
}
