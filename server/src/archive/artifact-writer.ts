import {
  type ArchivedChangeset,
  linkField,
  parseComment,
  parseDocument,
  readArchivedChangesets,
  type StoredComment,
} from '../artifacts/index.ts';
import { type ArchivedFile, findFilesOf } from '../files/index.ts';
import { element, type XmlElement } from '../kernel/xml.ts';
import { builtInGroups, groupIds } from '../projects/index.ts';
import type { Reader } from '../storage/index.ts';
import {
  type ArchiveWriting,
  archivedInstant,
  type Field,
  type Stored,
  type StoredLink,
  type Tracker,
  typedLabels,
} from '../trackers/index.ts';
import { keyOf } from './group-names.ts';
import { changesetKey, fileKey, filePath } from './keys.ts';
import type { AccountReferences } from './people.ts';
import type { XmlWriter } from './xml-writer.ts';

/** What of artifacts goes into an archive. */
export interface ArtifactScope {
  readonly references: AccountReferences;
  /** Trackers whose artifacts may be linked to; undefined: links to all artifacts are written. */
  readonly linkable?: ReadonlySet<number>;
  /** Whether history tells of files whose bytes are gone. */
  readonly hasRemovedFiles: boolean;
  /** Whether references in comments are made harmless, and values of fields out of use left out. */
  readonly isForElsewhere: boolean;
  /** Gets the types of all links that are written. */
  readonly linkTypes?: Set<string>;
  /** What fields sum up to at present, by their ids. */
  totals?(artifactId: number): Promise<ReadonlyMap<number, number>>;
}

/** A blank before the number makes a word no reference any more. */
const harmless = (content: string) => content.replaceAll(/([A-Za-z0-9_]+ )#(?=[A-Za-z0-9])/g, '$1# ');

const firstField = (change: XmlElement) => change.attributes['field_name'];

/** Writes one artifact. */
class ArtifactWriting {
  readonly #reader: Reader;
  readonly #tracker: Tracker;
  readonly #scope: ArtifactScope;
  readonly #id: number;
  readonly #labels: Map<number, string>;
  readonly #repeated: readonly Field[];
  readonly #state = new Map<number, Stored>();
  #files: readonly ArchivedFile[] = [];
  #links = '';

  constructor(
    reader: Reader,
    tracker: Tracker,
    scope: ArtifactScope,
    id: number,
    labels: Map<number, string>,
  ) {
    this.#reader = reader;
    this.#tracker = tracker;
    this.#scope = scope;
    this.#id = id;
    this.#labels = labels;
    this.#repeated = tracker.elements.filter(({ type, isUsed }) => isUsed && type.archived?.isRepeated);
  }

  get #context(): ArchiveWriting {
    return {
      user: (name, id) => this.#scope.references.refer(name, id),
      group: (id) => keyOf(id, this.#tracker.projectGroups),
      typedLabel: (id) => this.#typedLabel(id),
      links: (links) => this.#written(links),
      files: async (ids) => ids.filter((id) => this.#files.some((file) => file.id === id)),
    };
  }

  async #typedLabel(id: number): Promise<string> {
    if (!this.#labels.has(id)) this.#labels.set(id, (await typedLabels(this.#reader, [id])).get(id) ?? '');
    return this.#labels.get(id) ?? '';
  }

  /** Links to what the archive has. */
  async #kept(links: readonly StoredLink[]): Promise<readonly StoredLink[]> {
    const { linkable } = this.#scope;
    if (linkable === undefined || links.length === 0) return links;
    const query = this.#reader.sql.selectFrom('artifact').select(['id', 'tracker_id']);
    const ids = links.map(([id]) => id);
    const rows = await this.#reader.all(query.where('id', 'in', ids));
    const known = new Set(rows.filter(({ tracker_id }) => linkable.has(tracker_id)).map(({ id }) => id));
    return links.filter(([id]) => known.has(id));
  }

  async #comment({ content, format, by, at, email, groups }: StoredComment): Promise<XmlElement> {
    const text = this.#scope.isForElsewhere ? harmless(content) : content;
    return element('comment', {}, [
      await this.#scope.references.refer('submitted_by', by, email),
      element('submitted_on', { format: 'ISO8601' }, archivedInstant(at)),
      element('body', { format }, text),
      ...(groups === null ? [] : [this.#readers(groups)]),
    ]);
  }

  /** A comment for groups that are gone is for administrators. */
  #readers(groups: readonly number[]): XmlElement {
    const own = this.#tracker.projectGroups;
    const names = groups.flatMap((id) => own.get(id) ?? builtInGroups.get(id)?.key ?? []);
    const known = names.length === 0 ? [keyOf(groupIds.projectAdmins, own) ?? ''] : names;
    return element(
      'private_ugroups',
      {},
      known.map((name) => element('ugroup', {}, name)),
    );
  }

  async #comments({ row, versions }: ArchivedChangeset): Promise<XmlElement[]> {
    const all = [...versions, row.comment].map(parseComment).filter((comment) => comment !== null);
    const written: XmlElement[] = [];
    for (const comment of all)
      if (written.length > 0 || comment.content !== '') written.push(await this.#comment(comment));
    return written;
  }

  async #written(links: readonly StoredLink[]): Promise<readonly StoredLink[]> {
    const kept = await this.#kept(links);
    for (const [, type] of kept) this.#scope.linkTypes?.add(type);
    return kept;
  }

  /** Undefined where the archive would have the same links as before. */
  async #linkChange(field: Field, value: Stored): Promise<XmlElement | undefined> {
    const change = await field.type.archived?.write(field, value, this.#context);
    const links = JSON.stringify(
      change?.children.map(({ text, attributes }) => [text, attributes['nature']]).sort(),
    );
    if (links === (this.#links || '[]')) return undefined;
    this.#links = links;
    return change;
  }

  /** Whether the archive shows something else of a field that stands in every changeset. */
  #isChanged(field: Field, value: Stored | undefined): boolean {
    const known = (some: Stored | undefined) =>
      (some === undefined ? [] : (field.type.value?.files?.(some) ?? [])).filter((id) =>
        this.#files.some((file) => file.id === id),
      );
    return known(this.#state.get(field.id)).join() !== known(value).join();
  }

  /** The changes of a changeset, and whether any of them is one. */
  async #changes(
    changes: Readonly<Record<string, Stored>>,
  ): Promise<{ elements: XmlElement[]; isChange: boolean }> {
    const elements: XmlElement[] = [];
    let isChange = false;
    for (const field of this.#tracker.elements) {
      const value = changes[field.id];
      const { archived } = field.type;
      if (archived === undefined || value === undefined || archived.isRepeated) continue;
      if (!field.isUsed && this.#scope.isForElsewhere) continue;
      const change =
        field === linkField(this.#tracker)
          ? await this.#linkChange(field, value)
          : await archived.write(field, value, this.#context);
      if (change === undefined) continue;
      elements.push(change);
      isChange = true;
    }
    for (const field of this.#repeated) {
      const value = changes[field.id];
      if (value !== undefined && this.#isChanged(field, value)) isChange = true;
      if (value !== undefined) this.#state.set(field.id, value);
      const change = await field.type.archived?.write(field, this.#state.get(field.id) ?? [], this.#context);
      if (change !== undefined) elements.push(change);
    }
    return { elements, isChange };
  }

  /** Undefined for a changeset of which the archive has nothing to tell. */
  async #changeset(archived: ArchivedChangeset, isFirst: boolean): Promise<XmlElement | undefined> {
    const { row } = archived;
    const { elements, isChange } = await this.#changes(parseDocument(row.changes));
    const comments = await this.#comments(archived);
    if (!isFirst && !isChange && comments.length === 0) return undefined;
    return element('changeset', { id: changesetKey(row.id) }, [
      await this.#scope.references.refer('submitted_by', row.submitted_by, row.email),
      element('submitted_on', { format: 'ISO8601' }, archivedInstant(row.submitted_on)),
      element('comments', {}, comments),
      ...elements,
    ]);
  }

  /** Links that are not what history says: their other ends are gone, or the hierarchy changed. */
  async #presentLinks(): Promise<XmlElement[]> {
    const field = linkField(this.#tracker);
    if (field === undefined) return [];
    const query = this.#reader.sql.selectFrom('artifact_link').select(['target_id', 'type']);
    const rows = await this.#reader.all(query.where('source_id', '=', this.#id).orderBy('target_id'));
    const links = rows.map(({ target_id, type }): StoredLink => [target_id, type]);
    const change = await this.#linkChange(field, links);
    return change === undefined ? [] : [change];
  }

  /** Sums of the moment: beside the word that they are sums, so that whoever reads them knows. */
  async #sums(): Promise<XmlElement[]> {
    const totals = (await this.#scope.totals?.(this.#id)) ?? new Map<number, number>();
    return [...totals].flatMap(([fieldId, total]) => {
      const field = this.#tracker.elementById.get(fieldId);
      const attributes = { field_name: field?.name, type: field?.type.archived?.type };
      const content = [element('manual_value', {}, String(total)), element('is_autocomputed', {}, '1')];
      return field === undefined ? [] : element('field_change', attributes, content);
    });
  }

  /** The last changeset also tells what is so without one. */
  async #completed(last: XmlElement): Promise<XmlElement> {
    const more = [...(await this.#presentLinks()), ...(await this.#sums())];
    if (more.length === 0) return last;
    const names = new Set(more.map(firstField));
    const kept = last.children.filter(
      (child) => child.name !== 'field_change' || !names.has(firstField(child)),
    );
    return { ...last, children: [...kept, ...more] };
  }

  #fileElement({ id, name, size, type, description }: ArchivedFile): XmlElement {
    return element('file', { id: fileKey(id) }, [
      element('filename', {}, name),
      element('path', {}, filePath(id)),
      element('filesize', {}, String(size)),
      element('filetype', {}, type),
      element('description', {}, description),
    ]);
  }

  async write(out: XmlWriter): Promise<void> {
    const files = this.#repeated.length === 0 ? [] : await findFilesOf(this.#reader, this.#id);
    this.#files = files.filter(({ state }) => this.#scope.hasRemovedFiles || state === 'attached');
    out.begin('artifact', { id: String(this.#id) });
    let last: XmlElement | undefined;
    for await (const archived of readArchivedChangesets(this.#reader, this.#id)) {
      const changeset = await this.#changeset(archived, last === undefined);
      if (changeset === undefined) continue;
      if (last !== undefined) out.element(last);
      await out.settle();
      last = changeset;
    }
    if (last !== undefined) out.element(await this.#completed(last));
    for (const file of this.#files) out.element(this.#fileElement(file));
    out.end();
    await out.settle();
  }
}

/** Artifacts that are looked for at once. */
const pageSize = 200;

/** The ids of the artifacts of a tracker, in their order. */
export async function* artifactIds(reader: Reader, trackerId: number): AsyncGenerator<number> {
  const query = reader.sql.selectFrom('artifact').select('id').where('tracker_id', '=', trackerId);
  for (let after = 0; ; ) {
    const rows = await reader.all(query.where('id', '>', after).orderBy('id').limit(pageSize));
    for (const { id } of rows) yield id;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.id;
  }
}

/** Writes `artifacts` with these artifacts of a tracker, of which little is held at a time. Gives how many there were. */
export async function writeArtifacts(
  out: XmlWriter,
  reader: Reader,
  tracker: Tracker,
  scope: ArtifactScope,
  ids: AsyncIterable<number> | Iterable<number> = artifactIds(reader, tracker.id),
): Promise<number> {
  let count = 0;
  const labels = new Map<number, string>();
  out.begin('artifacts');
  for await (const id of ids) {
    await new ArtifactWriting(reader, tracker, scope, id, labels).write(out);
    count++;
  }
  out.end();
  return count;
}
