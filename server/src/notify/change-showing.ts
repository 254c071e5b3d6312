import {
  type Artifact,
  type ArtifactChange,
  asSeenChangeset,
  gather,
  linksIn,
  type ReadContext,
} from '../artifacts/index.ts';
import { findAccounts, readSettings } from '../identity/index.ts';
import {
  artifactText,
  changesetTexts,
  People,
  type PresentationContext,
  presentMinimalProject,
  presentMinimalRepository,
  presentRevision,
  titleOf,
  trackerReferenceText,
  ValueWriter,
} from '../present/index.ts';
import type { Project } from '../projects/index.ts';
import type { SeenCommit } from '../svn/index.ts';
import type { Field, FlatValue, Stored, Tracker } from '../trackers/index.ts';
import type { DescribedChange, Difference, Showing } from './model.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The elements of a JSON array of objects. */
function listIn(json: string): Readonly<Record<string, unknown>>[] {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

const isIds = (value: Stored | undefined): value is readonly number[] => Array.isArray(value);

function flatWords(value: FlatValue): string {
  if (value === null) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** The links of a value to artifacts that the viewer sees. */
function linkWords(value: Stored | undefined, writer: ValueWriter): string {
  const words = listIn(writer.links(linksIn(value))).map(({ id, type }) =>
    type ? `#${id} (${type})` : `#${id}`,
  );
  return words.join(', ');
}

function fileWords(
  ids: readonly number[],
  descriptions: ReadonlyMap<number, string> | undefined,
  writer: ValueWriter,
): string {
  const files = ids.flatMap((id) => writer.file(id, descriptions?.get(id)) ?? []);
  return listIn(`[${files.join(',')}]`)
    .map(({ name, description }) => (description ? `${name} (${description})` : String(name)))
    .join(', ');
}

/** A value as a person reads it. */
function wordsOf(field: Field, value: Stored | undefined, writer: ValueWriter): string {
  const { value: rules, acceptLinks } = field.type;
  if (value === undefined || rules === undefined) return '';
  if (acceptLinks !== undefined) return linkWords(value, writer);
  const files = rules.files?.(value);
  if (files !== undefined) return fileWords(files, rules.fileDescriptions?.(value), writer);
  if (rules.flat !== undefined) return flatWords(rules.flat(field, value, writer));
  const groups = isIds(value) ? value : [];
  return groups.flatMap((id) => writer.groupLabel(id) ?? []).join(', ');
}

/** How artifacts are shown in deliveries: as `GET /artifacts/{id}` does. */
const forms = { collection: true, byField: false };

/** What mails and webhooks show. */
export class ChangeShowing implements Showing {
  readonly #publicUrl: string;
  readonly #people: People;

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
    this.#people = new People(publicUrl);
  }

  async #presentationFor({ reader, viewer, revisions }: ReadContext): Promise<PresentationContext> {
    const people = this.#people.seenBy(viewer, revisions.identity);
    return { publicUrl: this.#publicUrl, people, labels: await readSettings(reader) };
  }

  /** Makes something; when that met people who are not known yet, fetches them and makes it again. */
  async #made<Made>(
    { reader }: ReadContext,
    { people }: PresentationContext,
    make: () => Made,
  ): Promise<Made> {
    const first = make();
    if (!people.isIncomplete) return first;
    await people.load((ids) => findAccounts(reader, ids));
    return make();
  }

  async describe(
    readContext: ReadContext,
    artifact: Artifact,
    change: ArtifactChange,
  ): Promise<DescribedChange> {
    const fields = artifact.view.shown.filter(({ id }) => Object.hasOwn(change.changes, id));
    const past = [change.before, change.after].map((document) => ({ fields, document }));
    const related = await gather(readContext, [artifact], { past });
    const presentation = await this.#presentationFor(readContext);
    return this.#made(readContext, presentation, () => {
      const writer = new ValueWriter(artifact, related, presentation);
      const differences = fields.map(
        (field): Difference => ({
          label: field.label,
          before: wordsOf(field, change.before[field.id], writer),
          after: wordsOf(field, change.after[field.id], writer),
        }),
      );
      return {
        title: titleOf(artifact, writer),
        author: change.by === 0 ? 'Somebody' : presentation.people.displayName(change.by),
        differences: differences.filter(({ before, after }) => before !== after),
      };
    });
  }

  async artifact(readContext: ReadContext, artifact: Artifact): Promise<string> {
    const presentation = await this.#presentationFor(readContext);
    const related = await gather(readContext, [artifact], {});
    return this.#made(readContext, presentation, () => artifactText(artifact, related, presentation, forms));
  }

  async user(readContext: ReadContext, accountId: number): Promise<string> {
    if (accountId === 0) return 'null';
    const presentation = await this.#presentationFor(readContext);
    return this.#made(readContext, presentation, () => presentation.people.minimal(accountId));
  }

  tracker(tracker: Tracker): string {
    return trackerReferenceText(tracker);
  }

  project(project: Project): string {
    return JSON.stringify(presentMinimalProject(project));
  }

  commit({ repository, revision }: SeenCommit) {
    return {
      repository: JSON.stringify(presentMinimalRepository(this.#publicUrl, repository)),
      commit: JSON.stringify(presentRevision(repository.id, revision)),
    };
  }

  async present(readContext: ReadContext, artifact: Artifact, change: ArtifactChange) {
    const presentation = await this.#presentationFor(readContext);
    const past = [{ fields: artifact.view.shown, document: change.after }];
    const related = await gather(readContext, [artifact], { past });
    return this.#made(readContext, presentation, () => ({
      artifact: artifactText(artifact, related, presentation, forms),
      changeset: changesetTexts(artifact, [asSeenChangeset(artifact, change)], related, presentation),
      user: change.by === 0 ? 'null' : presentation.people.minimal(change.by),
    }));
  }
}
