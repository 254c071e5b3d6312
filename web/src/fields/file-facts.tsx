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
  return membersIn(value?.['file_descriptions']).map((source) => ({
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

/** Size, and who brought it. */
export function FileFactsLine({ file }: { readonly file: FileFacts }) {
  const formats = useFormats();
  const { thing: uploader } = useThing(
    file.uploaderId === null ? undefined : `users/${file.uploaderId}`,
    userFacet,
  );
  const name = uploader ? firstName(personOf(uploader).name) : '';
  return [formats.size(file.size), name].filter((word) => word !== '').join(' · ');
}
