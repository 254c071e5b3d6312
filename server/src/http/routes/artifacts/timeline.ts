import * as contract from '@atelier/contract';
import {
  type Artifact,
  type ChangesetWithChanges,
  findCommitters,
  findTimeline,
  gather,
  pieceBytes,
  type ReadArtifact,
  readArtifact,
  readChangesOf,
  requireVisibleOutline,
  roomFor,
  type TimelineEvent,
  type TimelineKind,
  timelineKinds,
} from '../../../artifacts/index.ts';
import { invalidMember } from '../../../kernel/errors.ts';
import { type Group, groupsByBytes } from '../../../kernel/groups.ts';
import { timelineTexts, wholeChangesText } from '../../../present/index.ts';
import type { Need } from '../../../trackers/index.ts';
import { type Answering, presentationOf, written } from '../../in-parts.ts';
import { bind, Json, JsonParts, type Parts, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { namesIn } from './rows.ts';

const isKind = (name: string): name is TimelineKind => timelineKinds.some((kind) => kind === name);

function kindsIn(given: readonly string[] | undefined): ReadonlySet<TimelineKind> {
  const names = namesIn(given);
  const unknown = names.find((name) => !isKind(name));
  if (unknown !== undefined) throw invalidMember('kinds', `Expected some of (${timelineKinds.join(',')}).`);
  return new Set(names.length === 0 ? timelineKinds : names.filter(isKind));
}

/** Values of before and after, for which files, links and typed values are fetched. */
const pastOf = ({ view }: Artifact, changesets: readonly ChangesetWithChanges[]) =>
  changesets.flatMap(({ changes }) =>
    (['before', 'after'] as const).map((side) => ({
      fields: view.shown,
      document: Object.fromEntries(
        changes.flatMap(({ field, [side]: value }) => (value === undefined ? [] : [[field.id, value]])),
      ),
    })),
  );

/** What the changed values need to be shown. Sums are not remembered: what they were is not told. */
const needsOf = (changesets: readonly ChangesetWithChanges[]): ReadonlySet<Need> =>
  new Set(
    changesets
      .flatMap(({ changes }) => changes.flatMap(({ field }) => field.type.value?.needs ?? []))
      .filter((need) => need !== 'totals' && need !== 'burndown'),
  );

const bytesOf = (event: TimelineEvent) => (event.is === 'changeset' ? event.outline.bytes : 500);

/** The timeline of an artifact as a JSON array in parts, each made when the one before was taken. */
class TimelineParts implements Parts {
  readonly #services: Services;
  readonly #answering: Answering;
  readonly #artifactId: number;
  readonly #groups: Group<TimelineEvent>[];
  #known: ReadArtifact | undefined;
  #lead = '[';
  isOver = false;

  constructor(
    services: Services,
    answering: Answering,
    artifact: ReadArtifact,
    events: readonly TimelineEvent[],
  ) {
    this.#services = services;
    this.#answering = answering;
    this.#artifactId = artifact.artifact.row.id;
    this.#groups = groupsByBytes(events, bytesOf, pieceBytes);
    this.#known = artifact.bytes > pieceBytes ? undefined : artifact;
  }

  async next(): Promise<string | undefined> {
    if (this.isOver) return undefined;
    const group = this.#groups.shift();
    const text = group === undefined ? '' : await this.#write(group);
    this.isOver = this.#groups.length === 0;
    if (!this.isOver) return text;
    return text + (this.#lead === '[' ? '[]' : ']');
  }

  /** What the viewer sees of the artifact; anew for every group but the first, because time has passed. */
  async #artifact(): Promise<ReadArtifact> {
    const known = this.#known;
    this.#known = undefined;
    const { database, trackers } = this.#services;
    return known ?? readArtifact(database, this.#answering.viewer, trackers, this.#artifactId);
  }

  async #write({ items: events, bytes }: Group<TimelineEvent>): Promise<string> {
    await this.#answering.room.need(roomFor(bytes));
    const { readContext, artifact } = await this.#artifact();
    const outlines = events.flatMap((event) => (event.is === 'changeset' ? event.outline : []));
    const changesets = await readChangesOf(readContext, artifact, outlines);
    const related = await gather(readContext, [artifact], {
      past: pastOf(artifact, changesets),
      needs: needsOf(changesets),
    });
    const presentation = await presentationOf(this.#services, readContext);
    const names = events.flatMap((event) => (event.is === 'commit' ? event.reference.details.author : []));
    const data = {
      artifact,
      related,
      presentation,
      viewer: this.#answering.viewer,
      changesets: new Map(changesets.map((one) => [one.changeset.id, one])),
      committers: await findCommitters(readContext.reader, [...new Set(names)]),
    };
    const text = await written(readContext, presentation, () => timelineTexts(events, data));
    if (text === '') return '';
    const lead = this.#lead;
    this.#lead = ',';
    return lead + text;
  }
}

export function timelineBindings(services: Services): RouteBinding[] {
  const { database, trackers } = services;
  return [
    bind(contract.getArtifactTimeline, async ({ viewer, room, params, query }) => {
      const { limit, offset } = query;
      const kinds = kindsIn(query.kinds);
      const read = await readArtifact(database, viewer, trackers, params.id, room);
      const input = { limit, offset, kinds, isDescending: query.order !== 'asc' };
      const { items, size } = await findTimeline(read.readContext, read.artifact, input);
      const parts = new TimelineParts(services, { viewer, room }, read, items);
      return { body: new JsonParts(parts), page: { limit, offset, size } };
    }),
    bind(contract.getChanges, async ({ viewer, room, params }) => {
      const { id, changeset_id: changesetId } = params;
      const { readContext, artifact } = await readArtifact(database, viewer, trackers, id, room);
      const outline = await requireVisibleOutline(readContext, artifact, changesetId);
      await room.need(roomFor(outline.bytes * 2));
      const [read] = await readChangesOf(readContext, artifact, [outline]);
      const changesets = read === undefined ? [] : [read];
      const related = await gather(readContext, [artifact], {
        past: pastOf(artifact, changesets),
        needs: needsOf(changesets),
      });
      const presentation = await presentationOf(services, readContext);
      const write = () => wholeChangesText(artifact, related, presentation, read?.changes ?? []);
      return { body: new Json(await written(readContext, presentation, write)) };
    }),
  ];
}
