import * as contract from '@atelier/contract';
import {
  AllowanceFreshness,
  type Artifact,
  type ArtifactRights,
  type ArtifactRow,
  freshnessOf,
  gather,
  type ReadArtifact,
  type ReadContext,
  type ReadOptions,
  readArtifact,
  readContextOf,
  rightsTo,
  roomFor,
  type ShownArtifact,
  type ValueSource,
  versionTag,
  visibleIds,
  writtenArtifact,
} from '../../../artifacts/index.ts';
import { forbidden, invalid, invalidMember, tellingFaults } from '../../../kernel/errors.ts';
import { slice } from '../../../kernel/paging.ts';
import type { Room } from '../../../kernel/room.ts';
import { type Soon, whenThere } from '../../../kernel/soon.ts';
import { version as productVersion } from '../../../kernel/version.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import {
  artifactText,
  artifactTextInParts,
  type Frame,
  formOf,
  trackerReferenceText,
  type ValueForms,
} from '../../../present/index.ts';
import { isTextFormat, rendererVersion, type Tracker } from '../../../trackers/index.ts';
import { describeTracker } from '../../forms/index.ts';
import {
  ArtifactParts,
  platformSettings,
  presentationOf,
  readyParts,
  type Writing,
  written,
  writtenInParts,
} from '../../in-parts.ts';
import { preconditionOf, requestKeyOf } from '../../pipeline/index.ts';
import { type Answer, bind, Json, JsonParts, type RouteBinding, type Version } from '../../route.ts';
import type { Services } from '../../services.ts';
import { parseQueryObject } from './query.ts';

const forms: Readonly<Record<string, ValueForms>> = {
  collection: { collection: true, byField: false },
  by_field: { collection: false, byField: true },
  all: { collection: true, byField: true },
};
const collection: ValueForms = { collection: true, byField: false };
/** How artifacts are shown to callers who wish for nothing in particular. */
const plainForm = 'collection minimal';

const versionOf = (row: ArtifactRow): Version => ({ tag: versionTag(row), modifiedOn: row.modified_on });

/** What makes answers of one program differ from those of another. */
const program = `${productVersion} ${rendererVersion} ${Temporal.Now.timeZoneId()}`;

/**
 * The version of an answer about an artifact, with all that it is made from: what `freshnessOf` compares, who is looking
 * and how. Undefined parts are those that nothing but the bytes can tell.
 */
function shownVersion(
  { publicUrl }: Services,
  { viewer, revisions: { identity, structure } }: ReadContext,
  { row, view }: Artifact,
  { allowance }: ArtifactRights,
  form: string,
): Version {
  const isKnown = !view.needs.has('totals') && !view.needs.has('burndown') && !form.includes('complete');
  const looker = `${viewer.userId} ${viewer.isSiteAdmin} ${viewer.isRestricted} ${viewer.accessMode}`;
  const madeFrom = `${row.related_version} ${identity} ${structure} ${looker} ${form} ${allowance?.left} ${program} ${publicUrl}`;
  return { ...versionOf(row), madeFrom: isKnown ? madeFrom : undefined };
}

/** How many artifacts anybody may delete in a day. */
const deletionLimit = (services: Services, readContext: ReadContext): Soon<number> =>
  whenThere(platformSettings(services, readContext), (settings) => settings.artifact_deletion_limit);

/** Characters of values from which on an artifact is written in parts. */
const longValues = 256 * 1024;

/** A whole artifact; in parts where it is long. */
function wholeBody(
  services: Services,
  { readContext, artifact, related, bytes }: ShownArtifact & { readonly bytes: number },
  values: ValueForms,
  access: ArtifactRights,
  tracker?: string,
): Soon<Json | JsonParts> {
  return whenThere(presentationOf(services, readContext), (presentation) => {
    const write = () => artifactText(artifact, related, presentation, values, tracker, access);
    if (bytes <= longValues)
      return whenThere(written(readContext, presentation, write), (text) => new Json(text));
    const parts = () => artifactTextInParts(artifact, related, presentation, values, tracker, access);
    return writtenInParts(readContext, presentation, parts).then((texts) => new JsonParts(readyParts(texts)));
  });
}

/** How a request wants an artifact to be shown. */
type ArtifactQuery = contract.QueryOf<typeof contract.getArtifact>;

/** What is shown with an artifact, and how long that holds. */
function shownWith(
  services: Services,
  read: ReadArtifact,
  { values_format = 'collection', tracker_structure_format = 'minimal' }: ArtifactQuery,
  structure: string | undefined,
): Soon<Answer<never>> {
  const { readContext, artifact, bytes, links } = read;
  return whenThere(gather(readContext, [artifact], { links }), (related) =>
    whenThere(deletionLimit(services, readContext), (limit) =>
      whenThere(rightsTo(readContext, artifact, limit), (access) => {
        const shown = { readContext, artifact, related, bytes };
        const values = forms[values_format] ?? collection;
        return whenThere(wholeBody(services, shown, values, access, structure), (body) => {
          const allowance = new AllowanceFreshness(access, readContext, limit);
          const form = `${values_format} ${tracker_structure_format}`;
          return {
            body,
            version: shownVersion(services, readContext, artifact, access, form),
            freshness: freshnessOf(artifact, related, readContext.revisions, allowance),
          };
        });
      }),
    ),
  );
}

/** `GET /artifacts/{id}`, whichever way the request came: at once where all that it takes is remembered or read without waiting. */
function showArtifact(
  services: Services,
  viewer: Viewer,
  id: number,
  query: ArtifactQuery,
  options: ReadOptions,
): Soon<Answer<never>> {
  const { database, trackers } = services;
  return whenThere(readArtifact(database, viewer, trackers, id, options), (read) => {
    if (query.tracker_structure_format !== 'complete') return shownWith(services, read, query, undefined);
    return structureText(services, read.readContext, read.artifact).then((structure) =>
      shownWith(services, read, query, structure),
    );
  });
}

/** Whoever answers directly holds little: an artifact with much text goes the usual way, where there is room for it. */
const noRoom: Room = {
  hold: () => undefined,
  need: () => Promise.reject(new Error('There is no room for much text here.')),
};

/** How artifacts are written in lists, in these forms of their values. */
export function asArtifacts(values: ValueForms): Writing {
  const needsValues = values.collection || values.byField;
  const { collection, byField, fieldsOf } = values;
  return {
    ...(fieldsOf === undefined ? { form: `collection ${collection}, by field ${byField}` } : {}),
    withLinks: needsValues,
    gather: (readContext, artifacts, links) => gather(readContext, needsValues ? artifacts : [], { links }),
    text: (artifact, related, presentation) => artifactText(artifact, related, presentation, values),
    parts: (artifact, related, presentation) => artifactTextInParts(artifact, related, presentation, values),
  };
}

/** Artifacts with all their values in both forms. */
export const asCollection = asArtifacts({ collection: true, byField: true });
export const collectionFrame: Frame = { before: '{"collection":[', between: ',', after: ']}' };

const mostIds = 100;
const isInteger = (value: unknown): value is number => Number.isInteger(value);

/** The ids that `query` asks for, each once; one that is larger than any artifact's is as unknown as others. */
function idsIn(query = ''): readonly number[] {
  const ids: unknown = parseQueryObject(query)?.['id'];
  if (!Array.isArray(ids) || !ids.every(isInteger))
    throw invalid('parameter "query" must be a JSON object with the ids of artifacts: {"id": [1, 2, 3]}');
  if (ids.length > mostIds) throw forbidden(`You may ask for at most ${mostIds} artifacts at once.`);
  const possible = ids.filter(Number.isSafeInteger);
  if (new Set(possible).size < possible.length)
    throw invalid('parameter "query" names an artifact more than once');
  return possible;
}

/** The whole structure of the tracker, as it is for this artifact. */
async function structureText(services: Services, { viewer, revisions }: ReadContext, artifact: Artifact) {
  const tracker = await describeTracker(services, viewer, artifact.view, revisions, formOf(artifact));
  return JSON.stringify(tracker);
}

const isGiven = (value: object | undefined): boolean => value !== undefined && Object.keys(value).length > 0;

/** Exactly one of the three places values can come from. */
function sourceOf(body: contract.BodyOf<typeof contract.createArtifact>): ValueSource {
  const { values, values_by_field: byField, from_artifact: from } = body;
  const input = [values, byField, from].filter(isGiven);
  if (input.length > 1)
    throw invalid('Only one of `values`, `values_by_field` and `from_artifact` can be given.');
  if (isGiven(values)) return { kind: 'values', entries: values ?? [] };
  if (isGiven(byField)) return { kind: 'by field', values: byField ?? {} };
  if (from?.id !== undefined) return { kind: 'artifact', id: from.id };
  throw invalid('No valid data are provided: `values`, `values_by_field` or `from_artifact` is needed.');
}

export function commentOf(comment: contract.CommentChange | undefined) {
  if (comment === undefined) return undefined;
  const { body = '', format, ugroups } = comment;
  // What was meant for a few is not shown to all.
  if (ugroups != null && ugroups.length > 0)
    throw invalidMember(
      'comment.ugroups',
      'A comment for some groups alone is made by `POST /artifacts/{id}/comments`.',
    );
  return { body, format: isTextFormat(format) ? format : 'commonmark' } as const;
}

/** An artifact as others name it. */
export const referenceText = (id: number, tracker: Tracker, uri = `artifacts/${id}`) =>
  `{"id":${id},"uri":"${uri}","tracker":${trackerReferenceText(tracker)}}`;

export function artifactBindings(services: Services): RouteBinding[] {
  const { database, keeper, operations, trackers, publicUrl } = services;
  return [
    bind(contract.listArtifacts, async ({ viewer, room, query: { query, limit, offset } }) => {
      const ids = idsIn(query);
      const readContext = await readContextOf(database, viewer, trackers);
      const { items, size } = slice(await visibleIds(readContext, ids), { limit, offset });
      const parts = new ArtifactParts(services, { viewer, room }, items, asCollection, collectionFrame);
      return { body: new JsonParts(parts), page: { limit, offset, size } };
    }),
    bind(
      contract.getArtifact,
      ({ viewer, params, query, room }) => {
        const shown = showArtifact(services, viewer, params.id, query, { room });
        return whenThere(shown, (answer) => {
          services.visits.note(viewer, { kind: 'artifact', id: params.id });
          services.readings.note(viewer, params.id);
          return answer;
        });
      },
      (viewer, id, identity) => showArtifact(services, viewer, id, {}, { room: noRoom, identity }),
    ),
    bind(contract.createArtifact, async ({ viewer, body, isXml, headers }) => {
      const source = sourceOf(body);
      const requestKey = requestKeyOf(headers, 'POST artifacts', body);
      const form = { trackerId: body.tracker.id, source, isXml, requestKey };
      const made = await tellingFaults(() => operations.createArtifact(viewer, form));
      const { artifact } = await writtenArtifact(database, viewer, trackers, made);
      const { row, view } = artifact;
      const uri = `artifacts/${row.id}${source.kind === 'by field' ? '?values_format=by_field' : ''}`;
      return {
        body: new Json(referenceText(row.id, view.tracker, uri)),
        headers: { Location: `${publicUrl}/api/v1/${uri}` },
        version: versionOf(row),
      };
    }),
    bind(contract.putArtifact, async ({ viewer, params, body, isXml, headers, room }) => {
      const update = {
        id: params.id,
        entries: body.values,
        comment: commentOf(body.comment),
        precondition: preconditionOf(headers),
        isXml,
        requestKey: requestKeyOf(headers, 'PUT artifact', params.id, body),
      };
      const changed = await tellingFaults(() => operations.updateArtifact(viewer, update));
      await keeper.erase(changed.released);
      const bytes = changed.row.document.length;
      if (bytes > longValues) await room.need(roomFor(bytes));
      const { readContext, artifact } = await writtenArtifact(database, viewer, trackers, changed);
      const related = await gather(readContext, [artifact], { links: changed.links });
      const limit = await deletionLimit(services, readContext);
      const access = await rightsTo(readContext, artifact, limit);
      const shown = { readContext, artifact, related, bytes };
      return {
        body: await wholeBody(services, shown, collection, access),
        version: shownVersion(services, readContext, artifact, access, plainForm),
      };
    }),
  ];
}
