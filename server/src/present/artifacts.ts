import type { Document } from '../artifacts/index.ts';
import {
  type Artifact,
  type ArtifactRights,
  factsOf,
  linksOf,
  type Neighbour,
  noTotal,
  outsideReferencesOf,
  type RelatedData,
  referencesOf,
  type ShownTotal,
  totalKey,
} from '../artifacts/index.ts';
import { formatInstant } from '../kernel/clock.ts';
import { canReadLinks } from '../search/index.ts';
import {
  type Field,
  noneValue,
  type OutsideReference,
  type ShowingContext,
  type Stored,
  type StoredLink,
  type TrackerView,
} from '../trackers/index.ts';
import { fileText } from './files.ts';
import type { PeopleSeen } from './people.ts';
import {
  groupText,
  minimalTrackerText,
  projectReferenceText,
  trackerGroup,
  trackerReferenceText,
} from './tracker-texts.ts';

/** How one viewer is shown artifacts. */
export interface PresentationContext {
  readonly publicUrl: string;
  readonly people: PeopleSeen;
  /** The platform's own words for two of its groups. */
  readonly labels: { readonly registered_users_label: string; readonly authenticated_users_label: string };
}

/** Which forms of the values an answer has. */
export interface ValueForms {
  readonly collection: boolean;
  readonly byField: boolean;
  /** The fields that are shown; absent: all that the viewer may read. */
  fieldsOf?(view: TrackerView): readonly Field[];
}

const quoted = (text: string) => JSON.stringify(text);

const alphanumeric = (fields: readonly Field[]) => fields.filter(({ type }) => type.value?.isAlphanumeric);

const presentCommit = ({ revision, author, message, at }: NonNullable<OutsideReference['details']>) => ({
  revision,
  author,
  message,
  date: formatInstant(at),
});

/** Values of one artifact, in the present or at a changeset, as JSON. */
export class ValueWriter implements ShowingContext {
  readonly publicUrl: string;
  artifact: ShowingContext['artifact'];
  readonly #view: TrackerView;
  readonly #presentation: PresentationContext;
  readonly #related: RelatedData;

  constructor(artifact: Artifact, related: RelatedData, presentation: PresentationContext) {
    const { row, view } = artifact;
    this.publicUrl = presentation.publicUrl;
    this.artifact = factsOf(row);
    this.#view = view;
    this.#presentation = presentation;
    this.#related = related;
  }

  user(id: number): string {
    return this.#presentation.people.full(id);
  }

  person(id: number): string {
    return this.#presentation.people.person(id);
  }

  userName(id: number): string {
    return this.#presentation.people.displayName(id);
  }

  userLogin(id: number): string {
    return this.#presentation.people.login(id);
  }

  group(id: number): string | undefined {
    return groupText(this.#view.tracker, id, this.#presentation.labels);
  }

  groupLabel(id: number): string | undefined {
    return trackerGroup(this.#view.tracker, id, this.#presentation.labels)?.label;
  }

  typedValue(id: number): string {
    return this.#related.typedValues.get(id) ?? '';
  }

  typedAddress(id: number): string {
    return this.#presentation.people.address(this.typedValue(id));
  }

  file(id: number, description?: string): string | undefined {
    const file = this.#related.files.get(id);
    return (
      file && fileText({ ...file, description: description ?? file.firstDescription ?? file.description })
    );
  }

  /** The links to artifacts that the viewer sees, as far as these tell of them, as a JSON array. */
  #links(links: readonly StoredLink[], tells: (neighbour: Neighbour) => boolean = () => true): string {
    let text = '';
    for (const [id, type] of links) {
      const neighbour = this.#related.neighbours.get(id);
      if (neighbour === undefined || !tells(neighbour)) continue;
      const name = type === '' ? 'null' : quoted(type);
      const tracker = trackerReferenceText(neighbour.view.tracker);
      text += `${text === '' ? '' : ','}{"type":${name},"id":${id},"uri":"artifacts/${id}","tracker":${tracker}}`;
    }
    return `[${text}]`;
  }

  links(value: readonly StoredLink[] | undefined): string {
    return this.#links(value ?? linksOf(this.#related, this.artifact.id).forward);
  }

  reverseLinks(): string {
    return this.#links(linksOf(this.#related, this.artifact.id).reverse, ({ view }) => canReadLinks(view));
  }

  #reference({ keyword, value, projectId }: Pick<OutsideReference, 'keyword' | 'value' | 'projectId'>) {
    const query = `key=${encodeURIComponent(keyword)}&val=${encodeURIComponent(value)}&group_id=${projectId}`;
    return { ref: `${keyword} #${value}`, url: `${this.publicUrl}/goto?${query}` };
  }

  references(): string {
    const own = { id: this.artifact.id, view: this.#view };
    const references = referencesOf(this.#related, own).map(({ direction, ...reference }) => ({
      ...this.#reference(reference),
      direction,
    }));
    const commits = outsideReferencesOf(this.#related, own.id).map(({ details, ...reference }) => ({
      ...this.#reference(reference),
      direction: 'in',
      ...(details === undefined ? {} : { commit: presentCommit(details) }),
    }));
    return JSON.stringify([...references, ...commits]);
  }

  total(field: Field): ShownTotal {
    return this.#related.totals.get(totalKey(this.artifact.id, field.id)) ?? noTotal;
  }

  burndown(): string {
    return this.#related.burndowns.get(this.artifact.id) ?? 'null';
  }

  /** The entry of one field; undefined when the field never had a value. */
  entry(field: Field, value: Stored | undefined): string | undefined {
    const rules = field.type.value;
    if (rules === undefined || (value === undefined && rules.isAlwaysShown !== true)) return undefined;
    return `${field.head}${rules.show(field, value, this)}}`;
  }

  /** `values`: one entry for each field that has something to show. */
  collection(fields: readonly Field[], document: Document): string {
    let entries = '';
    for (const field of fields) {
      const entry = this.entry(field, document[field.id]);
      if (entry !== undefined) entries += entries === '' ? entry : `,${entry}`;
    }
    return `[${entries}]`;
  }

  /** The members of `collection`, one after the other. */
  *entries(fields: readonly Field[], document: Document): Generator<string> {
    let lead = '';
    for (const field of fields) {
      const entry = this.entry(field, document[field.id]);
      if (entry === undefined) continue;
      yield lead + entry;
      lead = ',';
    }
  }

  /** The members of `byField`, one after the other. */
  *entriesByField(fields: readonly Field[], document: Document): Generator<string> {
    let lead = '';
    for (const field of alphanumeric(fields)) {
      yield lead + this.#entryByField(field, document);
      lead = ',';
    }
  }

  #entryByField(field: Field, document: Document): string {
    return `${quoted(field.name)}:${this.entry(field, document[field.id]) ?? 'null'}`;
  }

  /** `values_by_field`: fields of the alphanumeric family by short name, null where there is no value. */
  byField(fields: readonly Field[], document: Document): string {
    const entries = alphanumeric(fields).map((field) => this.#entryByField(field, document));
    return `{${entries.join(',')}}`;
  }
}

function readableField({ view }: Artifact, id: number | undefined): Field | undefined {
  const field = id === undefined ? undefined : view.tracker.elementById.get(id);
  return field?.isUsed && view.canRead(field) ? field : undefined;
}

export function titleOf(artifact: Artifact, context: ShowingContext): string | null {
  const field = readableField(artifact, artifact.view.tracker.semantics.title?.fieldId);
  const value = field && artifact.document[field.id];
  if (field === undefined || value === undefined) return null;
  const title = field.type.value?.flat?.(field, value, context);
  return typeof title === 'string' ? title : null;
}

const isIds = (value: Stored | undefined): value is readonly number[] => Array.isArray(value);

/** The colour of a value of the palette; null for any other. */
function colorOf({ bind }: Field, id: number | undefined): string | null {
  const color = bind?.kind === 'static' ? (bind.values.find((value) => value.id === id)?.color ?? '') : '';
  return color === '' || color.startsWith('#') ? null : color;
}

export interface PresentedStatus {
  readonly value: string;
  readonly color: string | null;
}

export function statusOf(artifact: Artifact, context: ShowingContext): PresentedStatus | null {
  const field = readableField(artifact, artifact.view.tracker.semantics.status?.fieldId);
  const ids = field && artifact.document[field.id];
  if (field === undefined || !isIds(ids) || ids.length === 0) return null;
  const shown = field.type.value?.flat?.(field, ids, context);
  const [value = ''] = Array.isArray(shown) ? shown : [];
  // Of an open list the predefined values come first; what people typed has no colour.
  return value === '' ? null : { value, color: colorOf(field, ids.find(Number.isInteger)) };
}

/** An empty status is open only when None is among the open values. */
export function isOpenArtifact({ view: { status }, document }: Artifact): boolean {
  if (status === undefined) return true;
  const value = document[status.fieldId];
  const ids = isIds(value) && value.length > 0 ? value : [noneValue];
  return ids.some((id) => status.openIds.includes(id));
}

function assigneesText(artifact: Artifact, { people }: PresentationContext): string {
  const field = readableField(artifact, artifact.view.tracker.semantics.contributor?.fieldId);
  const ids = field && artifact.document[field.id];
  if (!isIds(ids)) return '[]';
  return `[${ids.map((id) => people.minimal(id)).join(',')}]`;
}

const resources = (uri: string) =>
  `[{"type":"changesets","uri":"${uri}/changesets"},{"type":"links","uri":"${uri}/links"}` +
  `,{"type":"linked_artifacts","uri":"${uri}/linked_artifacts"}]`;

/** What can be done with an artifact, where it is shown alone. */
function rightsText(rights: ArtifactRights | undefined): string {
  if (rights === undefined) return '';
  const { frozenFieldIds, hiddenFieldsetIds, mayUpdate, mayDelete, allowance } = rights;
  return (
    `,"frozen_field_ids":[${frozenFieldIds}],"hidden_fieldset_ids":[${hiddenFieldsetIds}]` +
    `,"may_update":${mayUpdate},"may_delete":${mayDelete},"deletions_left":${allowance?.left ?? null}`
  );
}

/** What an artifact shows beside its values, written. */
interface Around {
  readonly before: string;
  readonly after: string;
}

function around(
  artifact: Artifact,
  writer: ValueWriter,
  presentation: PresentationContext,
  trackerText: string,
  rights: ArtifactRights | undefined,
): Around {
  const { row, view } = artifact;
  const { tracker } = view;
  const { people } = presentation;
  const uri = `artifacts/${row.id}`;
  const status = statusOf(artifact, writer);
  const title = titleOf(artifact, writer);
  return {
    before:
      `{"id":${row.id},"uri":"${uri}","xref":"${tracker.itemName} #${row.id}","tracker":${trackerText}` +
      `,"project":${projectReferenceText(tracker.project)},"submitted_by":${row.submitted_by}` +
      `,"submitted_by_user":${people.minimal(row.submitted_by)}` +
      `,"submitted_on":"${formatInstant(row.submitted_on)}","html_url":"/plugins/tracker/?aid=${row.id}"` +
      `,"changesets_uri":"${uri}/changesets"`,
    after:
      `,"last_modified_date":"${formatInstant(row.modified_on)}","last_update_by":${row.modified_by}` +
      `,"last_update_by_user":${people.minimal(row.modified_by)}` +
      `,"status":${quoted(status?.value ?? '')},"full_status":${status === null ? 'null' : JSON.stringify(status)}` +
      `,"is_open":${isOpenArtifact(artifact)},"title":${title === null ? 'null' : quoted(title)}` +
      `,"assignees":${assigneesText(artifact, presentation)},"resources":${resources(uri)}${rightsText(rights)}}`,
  };
}

/** The whole artifact as JSON, joined from parts of which most are written already. */
export function artifactText(
  artifact: Artifact,
  related: RelatedData,
  presentation: PresentationContext,
  forms: ValueForms,
  trackerText = minimalTrackerText(artifact.view.tracker),
  rights?: ArtifactRights,
): string {
  const { view, document } = artifact;
  const writer = new ValueWriter(artifact, related, presentation);
  const { before, after } = around(artifact, writer, presentation, trackerText, rights);
  const fields = forms.fieldsOf?.(view) ?? view.shown;
  const values = forms.collection ? writer.collection(fields, document) : 'null';
  const byField = forms.byField ? writer.byField(fields, document) : 'null';
  return `${before},"values":${values},"values_by_field":${byField}${after}`;
}

/** The same in parts, each about as long as a value: for artifacts with much text. */
export function* artifactTextInParts(
  artifact: Artifact,
  related: RelatedData,
  presentation: PresentationContext,
  forms: ValueForms,
  trackerText = minimalTrackerText(artifact.view.tracker),
  rights?: ArtifactRights,
): Generator<string> {
  const { view, document } = artifact;
  const writer = new ValueWriter(artifact, related, presentation);
  const { before, after } = around(artifact, writer, presentation, trackerText, rights);
  const fields = forms.fieldsOf?.(view) ?? view.shown;
  yield `${before},"values":${forms.collection ? '[' : 'null'}`;
  if (forms.collection) yield* writer.entries(fields, document);
  yield `${forms.collection ? ']' : ''},"values_by_field":${forms.byField ? '{' : 'null'}`;
  if (forms.byField) yield* writer.entriesByField(fields, document);
  yield `${forms.byField ? '}' : ''}${after}`;
}
