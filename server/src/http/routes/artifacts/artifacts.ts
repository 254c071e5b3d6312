import * as contract from '@atelier/contract';
import {
  AllowanceFreshness,
  type Artifact,
  type ArtifactRow,
  freshnessOf,
  gather,
  type ReadContext,
  readArtifact,
  readAtOnce,
  readContextOf,
  roomFor,
  type ShownArtifact,
  type Standing,
  standingAtOnce,
  standingOf,
  type ValueSource,
  versionTag,
  visibleIds,
  writtenArtifact,
} from '../../../artifacts/index.ts';
import type { Settings } from '../../../identity/index.ts';
import { forbidden, invalid, tellingFaults } from '../../../kernel/errors.ts';
import { slice } from '../../../kernel/paging.ts';
import { version as productVersion } from '../../../kernel/version.ts';
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
  partsOf,
  presentationOf,
  presentationWith,
  type Writing,
  written,
  writtenInParts,
} from '../../in-parts.ts';
import { preconditionOf, requestKeyOf } from '../../pipeline/index.ts';
import { type AtOnce, bind, Json, JsonParts, type RouteBinding, type Version } from '../../route.ts';
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
  { allowance }: Standing,
  form: string,
): Version {
  const isKnown = !view.needs.has('totals') && !view.needs.has('burndown') && !form.includes('complete');
  const looker = `${viewer.userId} ${viewer.isSiteAdmin} ${viewer.isRestricted} ${viewer.accessMode}`;
  const madeFrom = `${row.related_version} ${identity} ${structure} ${looker} ${form} ${allowance?.left} ${program} ${publicUrl}`;
  return { ...versionOf(row), madeFrom: isKnown ? madeFrom : undefined };
}

/** The text, where everybody in it is known already; undefined where somebody must be fetched. */
function textAtOnce(
  services: Services,
  { readContext, artifact, related }: ShownArtifact,
  settings: Settings,
  standing: Standing,
): string | undefined {
  const presentation = presentationWith(services, readContext, settings);
  const text = artifactText(artifact, related, presentation, collection, undefined, standing);
  return presentation.people.isIncomplete ? undefined : text;
}

/** `GET /artifacts/{id}` without any wish. */
function artifactAtOnce(services: Services): AtOnce {
  return (viewer, id) => {
    const shown = readAtOnce(services.database, viewer, services.trackers, id);
    const settings = shown && services.authenticator.settingsAt(shown.readContext.revisions.identity);
    if (shown === undefined || settings === undefined) return undefined;
    const { readContext, artifact, related } = shown;
    const { artifact_deletion_limit: limit } = settings;
    const standing = standingAtOnce(services.database, readContext, artifact, limit);
    const text = standing && textAtOnce(services, shown, settings, standing);
    if (standing === undefined || text === undefined) return undefined;
    const allowance = new AllowanceFreshness(standing, readContext, limit);
    const freshness = freshnessOf(artifact, related, readContext.revisions, allowance);
    const version = shownVersion(services, readContext, artifact, standing, plainForm);
    return freshness && { body: new Json(text), version, freshness };
  };
}

/** How many artifacts anybody may delete in a day. */
async function deletionLimit({ authenticator }: Services, { revisions }: ReadContext): Promise<number> {
  const settings = authenticator.settingsAt(revisions.identity) ?? (await authenticator.settings());
  return settings.artifact_deletion_limit;
}

/** Characters of values from which on an artifact is written in parts. */
const longValues = 256 * 1024;

/** A whole artifact; in parts where it is long. */
async function wholeBody(
  services: Services,
  { readContext, artifact, related, bytes }: ShownArtifact & { readonly bytes: number },
  values: ValueForms,
  standing: Standing,
  tracker?: string,
): Promise<Json | JsonParts> {
  const presentation = await presentationOf(services, readContext);
  if (bytes <= longValues)
    return new Json(
      await written(readContext, presentation, () =>
        artifactText(artifact, related, presentation, values, tracker, standing),
      ),
    );
  const write = () => artifactTextInParts(artifact, related, presentation, values, tracker, standing);
  return new JsonParts(partsOf(await writtenInParts(readContext, presentation, write)));
}

/** How artifacts are written in lists, in these forms of their values. */
export function asArtifacts(values: ValueForms): Writing {
  const needsValues = values.collection || values.byField;
  return {
    gather: (readContext, artifacts) => gather(readContext, needsValues ? artifacts : []),
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

export function commentOf(comment: { body?: string; format: string } | undefined) {
  if (comment === undefined) return undefined;
  const { body = '', format } = comment;
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
      async ({ viewer, params, query, room }) => {
        const { readContext, artifact, bytes } = await readArtifact(
          database,
          viewer,
          trackers,
          params.id,
          room,
        );
        services.visits.note(viewer, { kind: 'artifact', id: params.id });
        const values = forms[query.values_format ?? 'collection'] ?? collection;
        const isComplete = query.tracker_structure_format === 'complete';
        const tracker = isComplete ? await structureText(services, readContext, artifact) : undefined;
        const related = await gather(readContext, [artifact]);
        const limit = await deletionLimit(services, readContext);
        const standing = await standingOf(readContext, artifact, limit);
        const body = await wholeBody(
          services,
          { readContext, artifact, related, bytes },
          values,
          standing,
          tracker,
        );
        const allowance = new AllowanceFreshness(standing, readContext, limit);
        const freshness = freshnessOf(artifact, related, readContext.revisions, allowance);
        const form = `${query.values_format ?? 'collection'} ${query.tracker_structure_format ?? 'minimal'}`;
        const version = shownVersion(services, readContext, artifact, standing, form);
        return { body, version, freshness };
      },
      artifactAtOnce(services),
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
      const standing = await standingOf(readContext, artifact, limit);
      const shown = { readContext, artifact, related, bytes };
      return {
        body: await wholeBody(services, shown, collection, standing),
        version: shownVersion(services, readContext, artifact, standing, plainForm),
      };
    }),
  ];
}
