import { type Account, findAccountsByNames, isUsable, nameKey } from '../../identity/index.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import {
  type ProjectExtension,
  type Reference,
  type ReferenceCandidate,
  resolveCandidates,
} from '../../projects/index.ts';
import { type Reader, statement, type Transaction } from '../../storage/index.ts';
import {
  type Field,
  type PreparedText,
  prepareText,
  type Stored,
  type StoredText,
  type TextFormat,
} from '../../trackers/index.ts';
import type { Document } from '../model.ts';
import { raiseRelatedVersions } from '../store.ts';

interface Target {
  readonly id: number;
  readonly keyword: string;
}

interface Resolved {
  readonly href: string;
  /** The artifact that is meant, when there is one. */
  readonly target: Target | undefined;
}

const keyOf = ({ text }: ReferenceCandidate) => text;

/** Words that refer to an artifact of any tracker. */
const anyArtifact: readonly string[] = ['art', 'artifact'];

async function artifactsWithIds(reader: Reader, ids: readonly number[]) {
  const known = [...new Set(ids.filter((id) => Number.isSafeInteger(id) && id > 0))];
  if (known.length === 0) return new Map<number, { item_name_key: string; project_id: number }>();
  const query = reader.sql
    .selectFrom('artifact')
    .innerJoin('tracker', 'tracker.id', 'artifact.tracker_id')
    .select(['artifact.id', 'tracker.item_name_key', 'tracker.project_id'])
    .where('artifact.id', 'in', known);
  return new Map((await reader.all(query)).map((row) => [row.id, row]));
}

/** The artifacts that are meant, for those of the references that mean one. */
async function targetsOf(
  reader: Reader,
  references: readonly Reference[],
): Promise<ReadonlyMap<Reference, Target>> {
  const artifacts = await artifactsWithIds(
    reader,
    references.map(({ value }) => Number(value)),
  );
  const targets = new Map<Reference, Target>();
  for (const reference of references) {
    const { keyword, value, projectId } = reference;
    const artifact = artifacts.get(Number(value));
    if (artifact === undefined) continue;
    const isOfTracker = artifact.item_name_key === keyword && artifact.project_id === projectId;
    if (anyArtifact.includes(keyword) || isOfTracker) targets.set(reference, { id: Number(value), keyword });
  }
  return targets;
}

/** The artifacts that some references mean, for texts that are not those of an artifact. */
export async function findReferencedArtifacts(
  reader: Reader,
  references: readonly Reference[],
): Promise<Target[]> {
  return [...(await targetsOf(reader, references)).values()];
}

/** Whether an account sees what a text is about: others are not mentioned by it. */
export type Mentionable = (accountId: number) => Promise<boolean>;

/** Finds out what the references in the texts of one change mean, and whom they mention. */
export class TextReferences {
  readonly #reader: Reader;
  readonly #viewer: Viewer;
  readonly #projectId: number;
  readonly #extensions: readonly ProjectExtension[];
  readonly #mentionable: Mentionable | undefined;
  readonly #prepared = new Map<string, PreparedText>();
  readonly #resolved = new Map<string, Resolved | undefined>();
  /** By user names as they are compared. */
  readonly #people = new Map<string, Account | undefined>();

  /** Without `mentionable` nobody is mentioned. */
  constructor(
    reader: Reader,
    viewer: Viewer,
    { project }: { readonly project: { readonly id: number } },
    extensions: readonly ProjectExtension[],
    mentionable?: Mentionable,
  ) {
    this.#reader = reader;
    this.#viewer = viewer;
    this.#projectId = project.id;
    this.#extensions = extensions;
    this.#mentionable = mentionable;
  }

  /** Each text is parsed once, whether it is rendered, looked for references, or both. */
  #prepare(content: string, format: TextFormat): PreparedText {
    const key = `${format} ${content}`;
    const known = this.#prepared.get(key) ?? prepareText(content, format);
    this.#prepared.set(key, known);
    return known;
  }

  async #resolve(candidates: readonly ReferenceCandidate[]): Promise<void> {
    const unknown = candidates.filter((candidate) => !this.#resolved.has(keyOf(candidate)));
    if (unknown.length === 0) return;
    for (const candidate of unknown) this.#resolved.set(keyOf(candidate), undefined);
    const found = await resolveCandidates(
      this.#reader,
      this.#viewer,
      this.#projectId,
      unknown,
      this.#extensions,
    );
    const targets = await targetsOf(this.#reader, found);
    for (const reference of found) {
      const { keyword, value } = reference;
      const query = `key=${encodeURIComponent(keyword)}&val=${encodeURIComponent(value)}&group_id=${reference.projectId}`;
      this.#resolved.set(keyOf(reference), { href: `/goto?${query}`, target: targets.get(reference) });
    }
  }

  async #meet(logins: readonly string[]): Promise<void> {
    const unknown = [...new Set(logins.map(nameKey))].filter((key) => !this.#people.has(key));
    if (unknown.length === 0 || this.#mentionable === undefined) return;
    for (const key of unknown) this.#people.set(key, undefined);
    for (const account of await findAccountsByNames(this.#reader, unknown))
      if (isUsable(account.status) && (await this.#mentionable(account.id)))
        this.#people.set(nameKey(account.name), account);
  }

  /** Safe HTML with references and mentions as links. */
  async render(content: string, format: TextFormat): Promise<string> {
    const text = this.#prepare(content, format);
    await this.#resolve(text.candidates);
    await this.#meet(text.logins);
    return text.render(
      (candidate) => this.#resolved.get(keyOf(candidate))?.href,
      (login) => {
        const account = this.#people.get(nameKey(login));
        return account && `/users/${encodeURIComponent(account.name)}`;
      },
    );
  }

  /** What the references of a text lead to, in the order in which they stand there. */
  async links(content: string, format: TextFormat): Promise<{ text: string; href: string }[]> {
    const { candidates } = this.#prepare(content, format);
    await this.#resolve(candidates);
    return candidates.flatMap((candidate) => {
      const href = this.#resolved.get(keyOf(candidate))?.href;
      return href === undefined ? [] : { text: candidate.text, href };
    });
  }

  /** Everybody whom a text mentions, each once. */
  async mentions({ content, format }: Pick<StoredText, 'content' | 'format'>): Promise<Account[]> {
    const { logins } = this.#prepare(content, format);
    await this.#meet(logins);
    const people = logins.flatMap((login) => this.#people.get(nameKey(login)) ?? []);
    return [...new Map(people.map((account) => [account.id, account])).values()];
  }

  /** The artifacts that a text refers to. */
  async targets({ content, format }: StoredText): Promise<Target[]> {
    const { candidates } = this.#prepare(content, format);
    await this.#resolve(candidates);
    return candidates.flatMap((candidate) => this.#resolved.get(keyOf(candidate))?.target ?? []);
  }
}

const ownReferences = statement((sql, p: { sourceId: number; origin: string }) =>
  sql
    .selectFrom('cross_reference')
    .select('target_id')
    .where('source_kind', '=', 'artifact')
    .where('source_id', '=', p.sourceId)
    .where('origin', '=', p.origin),
);

async function replaceReferences(
  tx: Transaction,
  source_id: number,
  origin: string,
  targets: readonly Target[],
  { isFirst, touchesAll }: { isFirst: boolean; touchesAll: boolean },
): Promise<void> {
  const { sql } = tx;
  const before = isFirst ? [] : await tx.all(ownReferences, { sourceId: source_id, origin });
  if (before.length > 0) {
    const references = sql.deleteFrom('cross_reference').where('source_kind', '=', 'artifact');
    await tx.write(references.where('source_id', '=', source_id).where('origin', '=', origin));
  }
  const others = targets.filter(({ id }) => id !== source_id);
  if (others.length > 0) {
    const rows = others.map(({ id, keyword }) => ({
      source_kind: 'artifact',
      source_id,
      origin,
      target_kind: 'artifact',
      target_id: id,
      target_keyword: keyword,
    }));
    await tx.write(
      sql
        .insertInto('cross_reference')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing()),
    );
  }
  const known = new Set(before.map(({ target_id }) => target_id));
  const now = new Set(others.map(({ id }) => id));
  const changed = touchesAll ? known.union(now) : known.symmetricDifference(now);
  if (changed.size > 0) await raiseRelatedVersions(tx, [source_id, ...changed]);
}

/** Whether the texts of a value can have had references. */
const mayRefer = ({ type }: Field, value: Stored | undefined) =>
  value !== undefined && (type.value?.texts?.(value) ?? []).some(({ content }) => content.includes('#'));

const mentionsAt = statement((sql, p: { artifactId: number; origin: string }) =>
  sql
    .selectFrom('mention')
    .select('account_id')
    .where('artifact_id', '=', p.artifactId)
    .where('origin', '=', p.origin),
);

/** Keeps whom a text mentions, those who are named anew with the changeset that does so; gives these. */
async function replaceMentions(
  tx: Transaction,
  artifact_id: number,
  { origin, changesetId }: { readonly origin: string; readonly changesetId: number },
  mentioned: readonly Account[],
  isFirst: boolean,
): Promise<number[]> {
  const before = isFirst ? [] : await tx.all(mentionsAt, { artifactId: artifact_id, origin });
  const known = new Set(before.map(({ account_id }) => account_id));
  const now = new Set(mentioned.map(({ id }) => id));
  const gone = [...known.difference(now)];
  if (gone.length > 0) {
    const own = tx.sql.deleteFrom('mention').where('artifact_id', '=', artifact_id);
    await tx.write(own.where('origin', '=', origin).where('account_id', 'in', gone));
  }
  const fresh = [...now.difference(known)];
  if (fresh.length > 0) {
    const rows = fresh.map((account_id) => ({ artifact_id, origin, account_id, changeset_id: changesetId }));
    await tx.write(tx.sql.insertInto('mention').values(rows));
  }
  return fresh;
}

/** Whether the texts of a value can have mentioned somebody. */
const mayMention = ({ type }: Field, value: Stored | undefined) =>
  value !== undefined && (type.value?.texts?.(value) ?? []).some(({ content }) => content.includes('@'));

/** Records whom the changed texts and the comment mention; gives those who were not mentioned by the same texts before. */
export async function recordMentions(
  tx: Transaction,
  id: number,
  written: Parameters<typeof recordReferences>[2],
  references: TextReferences,
): Promise<number[]> {
  const { changesetId } = written;
  const fresh: number[] = [];
  for (const [field, value] of written.values) {
    const texts = field.type.value?.texts?.(value);
    const isFirst = !mayMention(field, written.before[field.id]);
    if (texts === undefined || (isFirst && !mayMention(field, value))) continue;
    const mentioned = (await Promise.all(texts.map((text) => references.mentions(text)))).flat();
    const place = { origin: `field:${field.id}`, changesetId };
    fresh.push(...(await replaceMentions(tx, id, place, mentioned, isFirst)));
  }
  if (written.comment !== undefined) {
    const mentioned = await references.mentions(written.comment);
    const place = { origin: `comment:${changesetId}`, changesetId };
    fresh.push(...(await replaceMentions(tx, id, place, mentioned, false)));
  }
  return fresh;
}

/** That a text mentions somebody. */
export interface Mention {
  readonly accountId: number;
  /** The field of the text; null: it is the comment. */
  readonly fieldId: number | null;
}

const mentionedIn = statement((sql, p: { changesetId: number }) =>
  sql.selectFrom('mention').select(['account_id', 'origin']).where('changeset_id', '=', p.changesetId),
);

const fieldOrigin = /^field:(\d+)$/;

/** Accounts that a changeset mentions for the first time in its texts, and in which. */
export async function findMentioned(reader: Reader, changesetId: number): Promise<Mention[]> {
  const rows = await reader.all(mentionedIn, { changesetId });
  return rows.map(({ account_id, origin }) => {
    const [, digits] = fieldOrigin.exec(origin) ?? [];
    return { accountId: account_id, fieldId: digits === undefined ? null : Number(digits) };
  });
}

/** Records what the changed texts and the comment refer to, in place of what the same texts referred to before. */
export async function recordReferences(
  tx: Transaction,
  id: number,
  written: {
    values: ReadonlyMap<Field, Stored>;
    comment: StoredText | undefined;
    changesetId: number;
    /** The values before; none for an artifact that is being made. */
    before: Document;
  },
  references: TextReferences,
): Promise<void> {
  for (const [field, value] of written.values) {
    const texts = field.type.value?.texts?.(value);
    if (texts === undefined) continue;
    const targets = (await Promise.all(texts.map((text) => references.targets(text)))).flat();
    const isFirst = !mayRefer(field, written.before[field.id]);
    await replaceReferences(tx, id, `field:${field.id}`, targets, { isFirst, touchesAll: false });
  }
  if (written.comment !== undefined)
    await replaceReferences(
      tx,
      id,
      `comment:${written.changesetId}`,
      await references.targets(written.comment),
      // Whoever edits a comment may give it to other groups, who then see what it refers to.
      { isFirst: false, touchesAll: true },
    );
}
