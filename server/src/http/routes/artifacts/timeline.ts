import * as contract from '@atelier/contract';
import {
  type Artifact,
  type ChangesetWithChanges,
  findCommitters,
  findTimeline,
  gather,
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
import { timelineTexts, wholeChangesText } from '../../../present/index.ts';
import type { Need } from '../../../trackers/index.ts';
import { presentationOf, written } from '../../in-parts.ts';
import { bind, Json, JsonParts, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { HistoryParts, type HistoryWriting } from './history-in-parts.ts';
import { namesIn } from './rows.ts';

const isKind = (name: string): name is TimelineKind => timelineKinds.some((kind) => kind === name);

function kindsIn(input: readonly string[] | undefined): ReadonlySet<TimelineKind> {
  const names = namesIn(input);
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

const related = (read: ReadArtifact, changesets: readonly ChangesetWithChanges[]) =>
  gather(read.readContext, [read.artifact], {
    past: pastOf(read.artifact, changesets),
    needs: needsOf(changesets),
  });

/** How a timeline is written. */
const timelineWriting: HistoryWriting<TimelineEvent> = {
  bytesOf: (event) => (event.is === 'changeset' ? event.outline.bytes : 500),
  async prepare(read, events, presentation) {
    const { readContext, artifact } = read;
    const outlines = events.flatMap((event) => (event.is === 'changeset' ? event.outline : []));
    const changesets = await readChangesOf(readContext, artifact, outlines);
    const names = events.flatMap((event) => (event.is === 'commit' ? event.reference.details.author : []));
    const data = {
      artifact,
      related: await related(read, changesets),
      presentation,
      viewer: readContext.viewer,
      changesets: new Map(changesets.map((one) => [one.changeset.id, one])),
      committers: await findCommitters(readContext.reader, [...new Set(names)]),
    };
    return { text: () => timelineTexts(events, data) };
  },
};

export function timelineBindings(services: Services): RouteBinding[] {
  const { database, trackers } = services;
  return [
    bind(contract.getArtifactTimeline, async ({ viewer, room, params, query }) => {
      const { limit, offset } = query;
      const kinds = kindsIn(query.kinds);
      const read = await readArtifact(database, viewer, trackers, params.id, { room });
      const input = { limit, offset, kinds, isDescending: query.order !== 'asc' };
      const { items, size } = await findTimeline(read.readContext, read.artifact, input);
      const parts = new HistoryParts(services, { viewer, room }, read, items, timelineWriting);
      return { body: new JsonParts(parts), page: { limit, offset, size } };
    }),
    bind(contract.getChanges, async ({ viewer, room, params }) => {
      const { id, changeset_id: changesetId } = params;
      const seen = await readArtifact(database, viewer, trackers, id, { room });
      const { readContext, artifact } = seen;
      const outline = await requireVisibleOutline(readContext, artifact, changesetId);
      await room.need(roomFor(outline.bytes * 2));
      const [read] = await readChangesOf(readContext, artifact, [outline]);
      const changesets = read === undefined ? [] : [read];
      const shown = await related(seen, changesets);
      const presentation = await presentationOf(services, readContext);
      const write = () => wholeChangesText(artifact, shown, presentation, read?.changes ?? []);
      return { body: new Json(await written(readContext, presentation, write)) };
    }),
  ];
}
