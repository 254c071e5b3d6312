import {
  isSameValue,
  linkField,
  type PastChangeset,
  type ReferenceTarget,
  type StoredComment,
  type TextReferences,
} from '../artifacts/index.ts';
import type { NewAttachment } from '../files/index.ts';
import { parseInstant } from '../kernel/clock.ts';
import { attributeOf, childOf, childrenOf, listedIn, textOf, type XmlElement } from '../kernel/xml.ts';
import { groupIds } from '../projects/index.ts';
import {
  type ArchiveReading,
  type Field,
  isTextFormat,
  type Stored,
  storedText,
  type TextFormat,
  type Tracker,
} from '../trackers/index.ts';
import { placeWords, type Warn, type WarningCode } from './model.ts';
import { type ArchivedPeople, anonymous, anonymousEmail, personOf } from './people.ts';

/** A file of an artifact whose bytes are stored. */
export type ReadyFile = Pick<NewAttachment, 'id' | 'name' | 'type' | 'description' | 'blobs'>;

/** What reading an artifact takes beside its element. */
export interface ArtifactSource {
  readonly tracker: Tracker;
  readonly people: ArchivedPeople;
  readonly references: TextReferences;
  readonly context: Omit<ArchiveReading, 'warn' | 'file' | 'render' | 'relocated' | 'user' | 'userNumbered'>;
  /** Files that can be attached, by what the archive calls them. */
  readonly files: ReadonlyMap<string, ReadyFile>;
  /** Whether values of fields out of use are read as well. */
  readonly readsUnused: boolean;
  readonly warn: Warn;
}

/** What an artifact of an archive is made of. */
export interface ArtifactInArchive {
  readonly changesets: readonly PastChangeset[];
  readonly references: ReadonlyMap<number, readonly ReferenceTarget[]>;
  readonly files: readonly NewAttachment[];
  /** What the archive calls the changesets. */
  readonly keys: readonly string[];
}

/** Who made a changeset, and when. */
type ChangesetHead = Pick<PastChangeset, 'by' | 'at' | 'email'>;

const namedFields = new WeakMap<Tracker, ReadonlyMap<string, Field>>();

/** Fields by their short names; of two with one name, the one that is in use. */
function fieldsByName(tracker: Tracker): ReadonlyMap<string, Field> {
  const known = namedFields.get(tracker);
  if (known !== undefined) return known;
  const inOrder = [...tracker.elements].sort((left, right) => Number(left.isUsed) - Number(right.isUsed));
  const fields = new Map(inOrder.map((field) => [field.name, field]));
  namedFields.set(tracker, fields);
  return fields;
}

const momentOf = (element: XmlElement) => parseInstant(textOf(element, 'submitted_on')) ?? 0;

/** In the order in which they were made, whatever the order in the archive. */
const inTime = (changesets: readonly XmlElement[]) =>
  [...changesets].sort((left, right) => momentOf(left) - momentOf(right));

const sourcePath = /(\/plugins\/tracker\/attachments\/)(\d+)(-[^"'\s)<>]*)/g;

/** Reads one artifact with its whole history. */
class ArtifactReader {
  readonly #source: ArtifactSource;
  readonly #id: string;
  readonly #place: string;
  /** The change whose value is being read. */
  #reading: { readonly field: Field; readonly line: number } | undefined;
  readonly #state = new Map<Field, Stored>();
  readonly #files = new Map<number, NewAttachment>();
  readonly #context: ArchiveReading;

  constructor(artifact: XmlElement, source: ArtifactSource) {
    this.#source = source;
    this.#id = attributeOf(artifact, 'id') ?? '';
    this.#place = placeWords('artifact', this.#id);
    const { people } = source;
    this.#context = {
      ...source.context,
      user: (reference) => this.#chosen(personOf(people, reference)),
      userNumbered: (id) => people.byId[id],
      file: (reference) => source.files.get(reference)?.id,
      relocated: (content, format) => this.#relocated(content, format),
      render: (content, format) => source.references.render(content, format),
      warn: (code, text) => this.#warnOfValue(code, text),
    };
  }

  /** Tells of a value that could not be taken as it is, and of the like ones of its field with it. */
  #warnOfValue(code: WarningCode, text: string): void {
    const { field, line } = this.#reading ?? {};
    const name = `${this.#source.tracker.itemName}.${field?.name ?? ''}`;
    const what =
      code === 'unknown_link_target'
        ? `links of ${name} lead to artifacts that are not in the archive; they are links of`
        : `values of ${name} could not be taken over as they are; they are values of`;
    const like = { what, subject: `artifact ${this.#id}` };
    this.#source.warn({ code, place: this.#place, line: line ?? 1, text, like });
  }

  /** Nobody without an account can be chosen in a list. */
  #chosen(id: number | undefined): number | undefined {
    return id === anonymous ? undefined : id;
  }

  /** Pictures are shown from where their files are now; plain text shows none and stays as it is. */
  #relocated(content: string, format: TextFormat): string {
    if (this.#source.files.size === 0 || format === 'text') return content;
    return content.replace(sourcePath, (whole, folder: string, id: string, rest: string) => {
      const file = this.#source.files.get(`fileinfo_${id}`);
      return file === undefined ? whole : `${folder}${file.id}${rest}`;
    });
  }

  #fieldOf(change: XmlElement): Field | undefined {
    const field = fieldsByName(this.#source.tracker).get(attributeOf(change, 'field_name') ?? '');
    return field?.isUsed || this.#source.readsUnused ? field : undefined;
  }

  async #valueOf(field: Field, change: XmlElement): Promise<Stored | undefined> {
    const { archived } = field.type;
    const type = attributeOf(change, 'type') ?? archived?.type ?? '';
    if (archived === undefined) return undefined;
    this.#reading = { field, line: change.line };
    if (type !== archived.type && !archived.alsoReads?.includes(type)) {
      this.#context.warn(
        'invalid_value',
        `A change of type ${type} says nothing to the field ${field.name}.`,
      );
      return undefined;
    }
    return archived.read(field, change, this.#context, this.#state.get(field));
  }

  /** In the first changeset whatever is said counts, later on only what changes something. */
  #isChange(field: Field, value: Stored, isFirst: boolean): boolean {
    const isLinks = field === linkField(this.#source.tracker);
    const before = this.#state.get(field) ?? (isLinks ? [] : undefined);
    if (isLinks) return !isSameLinks(before, value);
    return isFirst || !isSameValue(field, before, value);
  }

  async #changesIn(changeset: XmlElement, isFirst: boolean): Promise<Map<Field, Stored>> {
    const values = new Map<Field, Stored>();
    for (const change of childrenOf(changeset, 'field_change')) {
      const field = this.#fieldOf(change);
      const value = field && (await this.#valueOf(field, change));
      if (field === undefined || value === undefined || !this.#isChange(field, value, isFirst)) continue;
      values.set(field, value);
    }
    for (const [field, value] of values) this.#state.set(field, value);
    return values;
  }

  /** A file belongs to whoever made the changeset that names it first. */
  #attach(values: ReadonlyMap<Field, Stored>, submittedBy: number, createdAt: number): void {
    for (const [field, value] of values)
      for (const id of field.type.value?.files?.(value) ?? []) {
        const file = this.#source.files.values().find((ready) => ready.id === id);
        if (file !== undefined && !this.#files.has(id))
          this.#files.set(id, { ...file, fieldId: field.id, submittedBy, createdAt });
      }
  }

  /** Groups that alone may read a comment. Where none of them is known, it is for administrators. */
  #readersOf(comment: XmlElement): readonly number[] | null {
    const named = listedIn(comment, 'private_ugroups', 'ugroup');
    if (named.length === 0 || !this.#source.tracker.hasPrivateComments) return null;
    const groups = named.flatMap(({ text }) => this.#context.group(text) ?? []);
    if (groups.length > 0) return [...new Set(groups)];
    this.#source.warn({
      code: 'private_comment_restricted',
      place: this.#place,
      line: comment.line,
      text: 'None of the groups of a private comment exists: administrators alone may read it.',
      like: {
        what: 'private comments have none of their groups here, so that administrators alone may read them; they are comments on',
        subject: `artifact ${this.#id}`,
      },
    });
    return [groupIds.projectAdmins];
  }

  async #commentOf(element: XmlElement, changeset: ChangesetHead): Promise<StoredComment> {
    const body = childOf(element, 'body');
    const format = body && attributeOf(body, 'format');
    const known = isTextFormat(format) ? format : 'commonmark';
    // As comments that come by the API.
    const content = this.#relocated((body?.text ?? '').trim(), known);
    const text = await storedText(content, known, this.#context);
    const { people } = this.#source;
    const author = childOf(element, 'submitted_by');
    const email = author ? anonymousEmail(people, author) : changeset.email;
    return {
      ...text,
      by: (author && personOf(people, author)) ?? changeset.by,
      at: parseInstant(textOf(element, 'submitted_on')) ?? changeset.at,
      ...(email === null ? {} : { email }),
      groups: this.#readersOf(element),
    };
  }

  /** Versions of one comment, without empty ones before there was a text: those are none. */
  async #commentsOf(element: XmlElement, changeset: ChangesetHead): Promise<StoredComment[]> {
    const versions: StoredComment[] = [];
    for (const comment of listedIn(element, 'comments', 'comment')) {
      const version = await this.#commentOf(comment, changeset);
      if (versions.length > 0 || version.content !== '') versions.push(version);
    }
    return versions;
  }

  async #targetsOf(comment: StoredComment | undefined): Promise<ReferenceTarget[]> {
    if (!comment?.content.includes('#')) return [];
    const targets = await this.#source.references.targets(comment);
    return targets.map(({ id, keyword }) => [id, keyword]);
  }

  async #changeset(element: XmlElement, isFirst: boolean): Promise<PastChangeset | undefined> {
    const { people } = this.#source;
    const author = childOf(element, 'submitted_by');
    const by = (author && personOf(people, author)) ?? anonymous;
    const at = momentOf(element);
    const values = await this.#changesIn(element, isFirst);
    const email = author ? anonymousEmail(people, author) : null;
    const comments = await this.#commentsOf(element, { by, at, email });
    this.#attach(values, by, at);
    if (!isFirst && values.size === 0 && comments.length === 0) {
      const id = attributeOf(element, 'id')?.trim() ?? '';
      this.#source.warn({
        code: 'empty_changeset',
        place: `${this.#place}/${placeWords('changeset', id)}`,
        line: element.line,
        text: `${id === '' ? 'A changeset' : `The changeset ${id}`} of artifact ${this.#id} changes nothing.`,
        like: { what: 'changesets change nothing; they are of', subject: `artifact ${this.#id}` },
      });
      return undefined;
    }
    const references = await this.#targetsOf(comments.at(-1));
    return { by, at, email, values, comments, references };
  }

  /** What the texts refer to that the artifact has in the end. */
  async #finalReferences(): Promise<ReadonlyMap<number, readonly ReferenceTarget[]>> {
    const found = new Map<number, ReferenceTarget[]>();
    for (const [field, value] of this.#state)
      for (const text of field.type.value?.texts?.(value) ?? []) {
        if (!text.content.includes('#')) continue;
        const targets = await this.#source.references.targets(text);
        found.set(
          field.id,
          targets.map(({ id, keyword }) => [id, keyword]),
        );
      }
    return found;
  }

  async read(artifact: XmlElement): Promise<ArtifactInArchive> {
    const changesets: PastChangeset[] = [];
    const keys: string[] = [];
    for (const element of inTime(childrenOf(artifact, 'changeset'))) {
      const changeset = await this.#changeset(element, changesets.length === 0);
      if (changeset === undefined) continue;
      changesets.push(changeset);
      keys.push(attributeOf(element, 'id') ?? `${this.#place}/${changesets.length}`);
    }
    const files = [...this.#files.values()];
    return { changesets, references: await this.#finalReferences(), files, keys };
  }
}

const isSameLinks = (left: Stored | undefined, right: Stored) => {
  const key = (value: Stored | undefined) => (Array.isArray(value) ? value.map(String).sort().join(' ') : '');
  return key(left) === key(right);
};

/** Reads an artifact of an archive with its whole history. */
export const readArtifactInArchive = (
  artifact: XmlElement,
  source: ArtifactSource,
): Promise<ArtifactInArchive> => new ArtifactReader(artifact, source).read(artifact);
