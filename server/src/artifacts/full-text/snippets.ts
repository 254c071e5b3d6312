import { type Excerpt, excerptOf } from '../../kernel/excerpt.ts';
import { contains, type Reader, sql } from '../../storage/index.ts';
import { type Field, type TrackerView, wordsIn } from '../../trackers/index.ts';
import { mayRead, parseComment } from '../comments.ts';
import type { Artifact } from '../model.ts';
import { type FoundPlace, searchedFields } from './conditions.ts';

/** A few words around what was found. */
export interface Snippet extends Excerpt {
  readonly place: FoundPlace;
  /** Null for comments. */
  readonly fieldId: number | null;
}

/** Snippets of one artifact at the most. */
const most = 3;
/** Comments of one artifact that are looked at. */
const mostComments = 50;

function inField({ document }: Artifact, field: Field, parts: readonly string[]): Excerpt | undefined {
  const value = document[field.id];
  const words = value === undefined ? undefined : field.type.value?.searchable?.(value);
  return words === undefined ? undefined : excerptOf(words, parts);
}

/** The newest comments with one of the parts. What a comment said before it was edited is not shown. */
async function inComments(
  reader: Reader,
  view: TrackerView,
  artifactId: number,
  parts: readonly string[],
): Promise<Excerpt[]> {
  const found = reader.sql
    .selectFrom('comment_text')
    .innerJoin('changeset', 'changeset.id', 'comment_text.changeset_id')
    .select('changeset.comment')
    .where('comment_text.artifact_id', '=', artifactId)
    .where(
      sql<boolean>`(${sql.join(
        parts.map((part) => contains('comment_text.text', part)),
        sql` or `,
      )})`,
    )
    .orderBy('comment_text.changeset_id', 'desc')
    .limit(mostComments);
  const comments = (await reader.all(found)).flatMap(({ comment }) => parseComment(comment) ?? []);
  return comments
    .filter((comment) => mayRead(view, comment))
    .flatMap((comment) => excerptOf(wordsIn(comment), parts) ?? []);
}

async function inFiles(
  reader: Reader,
  artifactId: number,
  fields: readonly Field[],
  parts: readonly string[],
): Promise<Snippet[]> {
  if (fields.length === 0) return [];
  const files = reader.sql
    .selectFrom('attachment')
    .select(['name', 'description', 'field_id'])
    .where('artifact_id', '=', artifactId)
    .where('state', '=', 'attached')
    .where(
      'field_id',
      'in',
      fields.map(({ id }) => id),
    )
    .orderBy('id');
  return (await reader.all(files)).flatMap(({ name, description, field_id: fieldId }) => {
    const excerpt = excerptOf(name, parts) ?? excerptOf(description, parts);
    return excerpt === undefined ? [] : { place: 'file' as const, fieldId, ...excerpt };
  });
}

/** What was found in an artifact, the best places first. */
export async function snippetsOf(
  reader: Reader,
  artifact: Artifact,
  parts: readonly string[],
): Promise<readonly Snippet[]> {
  const { row, view } = artifact;
  const { title, texts, files } = searchedFields(view);
  const snippets: Snippet[] = [];
  const look = (place: FoundPlace, field: Field) => {
    const excerpt = snippets.length < most ? inField(artifact, field, parts) : undefined;
    if (excerpt !== undefined) snippets.push({ place, fieldId: field.id, ...excerpt });
  };
  if (title !== undefined) look('title', title);
  for (const field of texts) look('text', field);
  if (snippets.length < most) {
    const comments = await inComments(reader, view, row.id, parts);
    snippets.push(...comments.map((excerpt) => ({ place: 'comment' as const, fieldId: null, ...excerpt })));
  }
  if (snippets.length < most) snippets.push(...(await inFiles(reader, row.id, files, parts)));
  return snippets.slice(0, most);
}
