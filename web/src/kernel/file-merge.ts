import type { FieldEntry } from './change-log.ts';

type Members = Readonly<Record<string, unknown>>;
/** Without a description: the one that the file has. */
type File = { readonly id: number; readonly description?: string };

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fileOf(item: unknown): File {
  if (!isMembers(item)) return { id: Number(item) };
  const { id, description } = item;
  return typeof description === 'string' ? { id: Number(id), description } : { id: Number(id) };
}

const byId = (items: readonly unknown[]) => new Map(items.map(fileOf).map((file) => [file.id, file]));

/** The files of a value as an answer gives it, or of a cell of a row; undefined where it is none of files. */
function filesIn(value: unknown): ReadonlyMap<number, File> | undefined {
  const files = isMembers(value) ? (value['file_descriptions'] ?? value['value']) : undefined;
  return Array.isArray(files) ? byId(files) : undefined;
}

export type FilesOutcome =
  /** It is so already. */
  | { readonly kind: 'settled' }
  /** What is sent has what both sides added, took away and described. */
  | { readonly kind: 'merged'; readonly entry: FieldEntry }
  | { readonly kind: 'conflict' };

const isSame = (left: ReadonlyMap<number, File>, right: ReadonlyMap<number, File>): boolean =>
  left.size === right.size &&
  left.values().every(({ id, description }) => {
    const other = right.get(id);
    return other !== undefined && (description === undefined || description === other.description);
  });

/**
 * What becomes of a field of files that both sides may have changed; undefined where it is none. Only two descriptions of the same file
 * are in conflict. A file that the other side took away is gone: it cannot be described any more.
 */
export function mergedFiles(before: unknown, mine: FieldEntry, theirs: unknown): FilesOutcome | undefined {
  const { value } = mine;
  const isOfFiles = isMembers(theirs) && Array.isArray(theirs['file_descriptions']);
  const [old, there] = [filesIn(before), filesIn(theirs)];
  if (!isOfFiles || !Array.isArray(value) || there === undefined) return undefined;
  const wanted = byId(value);
  const merged = new Map(there);
  for (const [id, file] of wanted) {
    const [was, is] = [old?.get(id), there.get(id)];
    if (was === undefined && is === undefined) merged.set(id, file);
    if (is === undefined || file.description === undefined || file.description === was?.description) continue;
    if (file.description !== is.description && was?.description !== is.description)
      return { kind: 'conflict' };
    merged.set(id, file);
  }
  for (const id of old?.keys() ?? []) if (!wanted.has(id)) merged.delete(id);
  if (isSame(merged, there)) return { kind: 'settled' };
  const files = [...merged.values()];
  return {
    kind: 'merged',
    entry: {
      ...mine,
      value: files.map(({ id, description }) => (description === undefined ? id : { id, description })),
    },
  };
}
