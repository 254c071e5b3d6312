import { visibleOf } from '../src/artifacts/index.ts';
import { fold } from '../src/kernel/text.ts';
import type { Viewer } from '../src/kernel/viewer.ts';
import type { Sight } from '../src/search/index.ts';
import { type Database, type Reader, readRevisions } from '../src/storage/index.ts';
import {
  type Condition,
  type Field,
  plainText,
  type Range,
  type StoredText,
  type Tracker,
  type Trackers,
  type TrackerView,
} from '../src/trackers/index.ts';

interface Comment extends StoredText {
  readonly groups: readonly number[] | null;
}

/** All that is known of the artifacts, read past the search index: what they say themselves. */
export class World {
  readonly artifacts: Awaited<ReturnType<typeof readArtifacts>>;
  readonly links: readonly { source_id: number; target_id: number; type: string }[];
  readonly references: readonly { source_id: number; target_id: number }[];
  readonly files: readonly {
    artifact_id: number | null;
    field_id: number | null;
    name: string;
    description: string;
  }[];
  readonly comments: ReadonlyMap<number, readonly { first: Comment; present: Comment }[]>;
  readonly trackerNames: ReadonlyMap<number, string>;

  private constructor(
    parts: Pick<World, 'artifacts' | 'links' | 'references' | 'files' | 'comments' | 'trackerNames'>,
  ) {
    this.artifacts = parts.artifacts;
    this.links = parts.links;
    this.references = parts.references;
    this.files = parts.files;
    this.comments = parts.comments;
    this.trackerNames = parts.trackerNames;
  }

  static async of(database: Reader): Promise<World> {
    const { sql } = database;
    const trackers = await database.all(sql.selectFrom('tracker').select(['id', 'item_name']));
    return new World({
      artifacts: await readArtifacts(database),
      links: await database.all(sql.selectFrom('artifact_link').selectAll()),
      references: await database.all(
        sql
          .selectFrom('cross_reference')
          .select(['source_id', 'target_id'])
          .where('target_kind', '=', 'artifact'),
      ),
      files: await database.all(
        sql
          .selectFrom('attachment')
          .select(['artifact_id', 'field_id', 'name', 'description'])
          .where('state', '=', 'attached'),
      ),
      comments: await readComments(database),
      trackerNames: new Map(trackers.map(({ id, item_name }) => [id, item_name])),
    });
  }
}

async function readArtifacts(reader: Reader) {
  const rows = await reader.all(reader.sql.selectFrom('artifact').selectAll().orderBy('id'));
  return new Map(rows.map((row) => [row.id, { ...row, values: JSON.parse(row.document) }]));
}

async function readComments(reader: Reader) {
  const changesets = await reader.all(
    reader.sql
      .selectFrom('changeset')
      .select(['id', 'artifact_id', 'comment'])
      .where('comment', 'is not', null),
  );
  const versions = await reader.all(reader.sql.selectFrom('comment_version').selectAll());
  const comments = new Map<number, { first: Comment; present: Comment }[]>();
  for (const { id, artifact_id, comment } of changesets) {
    const first = versions.find(({ changeset_id, version }) => changeset_id === id && version === 1);
    const present: Comment = JSON.parse(comment ?? 'null');
    if (present.content === '') continue;
    const own = comments.get(artifact_id) ?? [];
    own.push({ first: first === undefined ? present : JSON.parse(first.comment), present });
    comments.set(artifact_id, own);
  }
  return comments;
}

const isWithin = (value: number, { from, to, isFromOpen, isToOpen }: Range) =>
  (from === undefined || (isFromOpen ? value > from : value >= from)) &&
  (to === undefined || (isToOpen ? value < to : value <= to));

/** Tells of one artifact after the other whether it meets a condition, in the plainest way. */
export class Judge {
  readonly #world: World;
  readonly #view: TrackerView;
  readonly #visible: ReadonlySet<number>;

  private constructor(world: World, view: TrackerView, visible: ReadonlySet<number>) {
    this.#world = world;
    this.#view = view;
    this.#visible = visible;
  }

  static async of(sight: Sight, world: World, view: TrackerView): Promise<Judge> {
    const visible = await visibleOf(sight, [...world.artifacts.values()]);
    return new Judge(world, view, new Set(visible.map(({ row }) => row.id)));
  }

  /** The ids that a search must find. */
  found(condition: Condition): number[] {
    const own = [...this.#world.artifacts.values()].filter((row) => row.tracker_id === this.#view.tracker.id);
    return own.map(({ id }) => id).filter((id) => this.#visible.has(id) && this.#meets(id, condition));
  }

  #meets(id: number, condition: Condition): boolean {
    switch (condition.is) {
      case 'anything':
        return true;
      case 'nothing':
        return false;
      case 'all of':
        return condition.conditions.every((part) => this.#meets(id, part));
      case 'any of':
        return condition.conditions.some((part) => this.#meets(id, part));
      case 'not':
        return !this.#meets(id, condition.condition);
      case 'listed':
        return this.#entries(id, condition.fieldId).some((entry) => condition.entries.includes(entry));
      case 'filled':
        return !this.#isEmpty(id, condition.fieldId);
      case 'measured':
        return this.#measures(id, condition.fieldId).some((value) => isWithin(value, condition.range));
      case 'containing':
        return (
          !this.#isEmpty(id, condition.fieldId) && this.#text(id, condition.fieldId).includes(condition.part)
        );
      case 'matching': {
        const { fieldId, pattern, isNot } = condition;
        return (
          !this.#isEmpty(id, fieldId) && new RegExp(pattern, 'u').test(this.#digits(id, fieldId)) !== isNot
        );
      }
      case 'file':
        return this.#files(id, condition.fieldId).some((text) => text.includes(condition.part));
      case 'fact':
        return isWithin(this.#fact(id, condition.fact), condition.range);
      case 'fact matching':
        return (
          new RegExp(condition.pattern, 'u').test(String(this.#fact(id, condition.fact))) !== condition.isNot
        );
      case 'by': {
        const row = this.#world.artifacts.get(id);
        const who = condition.who === 'submitter' ? row?.submitted_by : row?.modified_by;
        return condition.accountIds.some((account) => account === who);
      }
      case 'commented':
        return this.#comments(id).some((text) => text.includes(condition.part));
      case 'linked':
        return this.#isLinked(id, condition);
      case 'referenced':
        return (
          this.#visible.has(condition.id) &&
          this.#world.references.some(
            ({ source_id, target_id }) =>
              (source_id === id && target_id === condition.id) ||
              (target_id === id && source_id === condition.id),
          )
        );
    }
  }

  #field(fieldId: number): Field {
    const field = this.#view.tracker.elementById.get(fieldId);
    if (field === undefined) throw new Error(`There is no field ${fieldId}.`);
    return field;
  }

  #value(id: number, fieldId: number) {
    return this.#world.artifacts.get(id)?.values[fieldId];
  }

  #isEmpty(id: number, fieldId: number): boolean {
    const value = this.#value(id, fieldId);
    if (value === undefined || value === null || value === '') return true;
    return Array.isArray(value) ? value.length === 0 : value.content === '';
  }

  #entries(id: number, fieldId: number): number[] {
    const value = this.#value(id, fieldId);
    if (value === undefined) return [];
    const entries = value.map((it: number | string) => (typeof it === 'string' ? -Number(it.slice(1)) : it));
    return entries.length === 0 ? [100] : entries;
  }

  #measures(id: number, fieldId: number): number[] {
    const value = this.#value(id, fieldId);
    if (value === undefined || value === null) return [];
    return [typeof value === 'string' ? Date.parse(`${value}T00:00:00Z`) / 86_400_000 : value];
  }

  #text(id: number, fieldId: number): string {
    const value = this.#value(id, fieldId) ?? '';
    return fold(typeof value === 'string' ? value : plainText(value.content, value.format));
  }

  #digits(id: number, fieldId: number): string {
    const isNumber = this.#field(fieldId).type.value?.measured !== undefined;
    return isNumber ? String(this.#value(id, fieldId)) : this.#text(id, fieldId);
  }

  #files(id: number, fieldId: number): string[] {
    const own = this.#world.files.filter((file) => file.artifact_id === id && file.field_id === fieldId);
    return own.flatMap(({ name, description }) => [fold(name), fold(description)]);
  }

  #fact(id: number, fact: Extract<Condition, { is: 'fact' }>['fact']): number {
    const row = this.#world.artifacts.get(id);
    if (row === undefined) return Number.NaN;
    return {
      id,
      number: row.number,
      rank: row.rank ?? id * 2 ** 20,
      submittedOn: row.submitted_on,
      modifiedOn: row.modified_on,
    }[fact];
  }

  #comments(id: number): string[] {
    const { isAdmin, groups: own } = this.#view;
    const comments = this.#world.comments.get(id) ?? [];
    const readable = comments.filter(
      ({ present: { groups } }) => isAdmin || groups === null || groups.some((group) => own.includes(group)),
    );
    return readable.map(({ present }) => fold(plainText(present.content, present.format)));
  }

  #isLinked(id: number, { direction, type, end }: Extract<Condition, { is: 'linked' }>): boolean {
    const isForward = direction === 'forward';
    const own = this.#world.links.filter((link) => (isForward ? link.source_id : link.target_id) === id);
    const others = own.filter((link) => type === undefined || link.type === type);
    return others.some((link) => this.#isEnd(isForward ? link.target_id : link.source_id, end));
  }

  /** Links count whose other end the viewer sees, whatever is asked of it. */
  #isEnd(id: number, end: Extract<Condition, { is: 'linked' }>['end']): boolean {
    if (!this.#visible.has(id)) return false;
    switch (end.is) {
      case 'anything':
        return true;
      case 'artifact':
        return id === end.id;
      case 'tracker': {
        const name = this.#world.trackerNames.get(this.#world.artifacts.get(id)?.tracker_id ?? 0);
        return (name === end.name) !== end.isNot;
      }
      case 'id in':
        return isWithin(id, end.range);
      case 'id matching':
        return new RegExp(end.pattern, 'u').test(String(id));
    }
  }
}

/** Somebody who looks, and how they see the tracker. */
export async function lookAs(database: Database, trackers: Trackers, viewer: Viewer, tracker: Tracker) {
  const revisions = await readRevisions(database);
  const sight: Sight = { reader: database, viewer, trackers, revisions };
  return { sight, view: await trackers.view(database, viewer, tracker, revisions) };
}
