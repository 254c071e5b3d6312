import { useFormats } from '../messages/index.ts';
import { userFacet, useThing } from '../store/index.ts';
import { firstName, personOf } from './choice.ts';
import { type FieldValue, membersIn, numberIn, textIn } from './model.ts';

export type FileFacts = {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly type: string;
  readonly uploaderId: number | null;
  readonly description: string;
  readonly address: string | null;
  readonly preview: string | null;
  readonly source: Readonly<Record<string, unknown>>;
};

export function filesIn(value: FieldValue | undefined): FileFacts[] {
  return filesOf(value?.['file_descriptions']);
}

/** The files that a list of an answer describes. */
export function filesOf(list: unknown): FileFacts[] {
  return membersIn(list).map((source) => ({
    id: numberIn(source['id']) ?? 0,
    name: textIn(source['name']),
    size: numberIn(source['size']) ?? 0,
    type: textIn(source['type']),
    uploaderId: numberIn(source['submitted_by']),
    description: textIn(source['description']),
    address: textIn(source['html_url']) || null,
    preview: textIn(source['html_preview_url']) || null,
    source,
  }));
}

/** Files that were there before and are described in other words now. */
export function describedAnew(
  before: readonly FileFacts[],
  after: readonly FileFacts[],
): { readonly file: FileFacts; readonly before: string }[] {
  const known = new Map(before.map((file) => [file.id, file]));
  return after.flatMap((file) => {
    const old = known.get(file.id)?.description;
    return old === undefined || old === file.description ? [] : { file, before: old };
  });
}

/** What it is, where somebody said so; size, and who brought it. */
export function FileFactsLine({
  file,
  isDescribed = false,
}: {
  readonly file: FileFacts;
  readonly isDescribed?: boolean;
}) {
  const formats = useFormats();
  const { thing: uploader } = useThing(
    file.uploaderId === null ? undefined : `users/${file.uploaderId}`,
    userFacet,
  );
  const name = uploader ? firstName(personOf(uploader).name) : '';
  return [isDescribed ? file.description : '', formats.size(file.size), name]
    .filter((word) => word !== '')
    .join(' · ');
}
