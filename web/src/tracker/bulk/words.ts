import { fieldTypes } from '../../fields/index.ts';
import { useFormats, useMessages } from '../../messages/index.ts';
import type { BulkWish, FieldWish } from './wish.ts';

/** What is wished for, said in words. */
export function useWishWords() {
  const { bulk: words } = useMessages();
  const formats = useFormats();
  const ofField = ({ field, act, value }: FieldWish): string => {
    const said = fieldTypes[field.type]?.summary(value, formats) ?? '';
    return words.wishes[act](field.label, said === '' ? words.empty : said);
  };
  const ofAll = ({ fields, parent, comment }: BulkWish): readonly string[] => [
    ...fields.map(ofField),
    ...(parent === undefined ? [] : [words.parentIs(parent.xref)]),
    ...(comment.trim() === '' ? [] : [`${words.comment}: ${comment.trim()}`]),
  ];
  return { ofField, ofAll };
}
