import { useRef, useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import { wordsOfError } from '../store/index.ts';
import type { Completion, MarkdownEditorProps } from '../ui/index.ts';
import { holds } from './abilities.ts';
import { findArtifacts, people, rendered } from './calls.ts';
import { shortName } from './choice.ts';
import { filesIn } from './file-facts.tsx';
import { type Field, type FieldPlace, type FieldValue, may, type TextFile, withValue } from './model.ts';
import { faultOfUpload, reserveFile } from './parts/calls.ts';

/** Whom `@` and which artifacts `#` may mean, for every text of a project. */
function completionsFor(projectId: number): (sign: '@' | '#', words: string) => Promise<Completion[]> {
  return async (sign, words) => {
    if (sign === '@') {
      const found = await people(projectId, words);
      return found.map((person) => ({
        label: shortName(person.display_name),
        detail: person.username ?? '',
        insert: `@${person.username ?? ''}`,
      }));
    }
    const found = await findArtifacts(words, projectId);
    return found.map(({ xref, title }) => ({ label: xref, detail: title, insert: xref }));
  };
}

/** The first field of files into which one may put something: pictures of texts go there. */
export function pictureField(place: Pick<FieldPlace, 'tracker' | 'artifact'>): Field | undefined {
  const right = place.artifact === undefined ? 'create' : 'update';
  return place.tracker.fields.find((field) => holds(field, 'files') && may(field, right));
}

/** The value of a field of files with those of a text added that the text still shows. */
export function withTextFiles(
  field: Field,
  value: FieldValue | undefined,
  files: readonly TextFile[],
  text: string,
): FieldValue | null {
  const before = filesIn(value);
  const added = files.filter(
    ({ id, address }) => text.includes(address) && before.every((file) => file.id !== id),
  );
  if (added.length === 0) return null;
  const sources = added.map(({ id, name, size, type, address }) => ({
    id,
    name,
    size,
    type,
    html_url: address,
    html_preview_url: null,
  }));
  return withValue(field, { file_descriptions: [...before.map(({ source }) => source), ...sources] });
}

/** Brackets would end the words of a link too early. */
const wordsFor = (name: string): string => name.replace(/[[\]\\]/g, ' ');

const markdownFor = ({ name, type, address }: TextFile): string =>
  `${type.startsWith('image/') ? '!' : ''}[${wordsFor(name)}](${address.replaceAll('(', '%28').replaceAll(')', '%29')})`;

type TextTools = Pick<MarkdownEditorProps, 'complete' | 'render' | 'onFiles' | 'status'>;

/** What every editor of Markdown in a project can do: complete names, show how it will look, take files. */
export function useTextTools(
  place: FieldPlace,
  onFile: ((file: TextFile) => void) | undefined,
): { readonly tools: TextTools; readonly isUploading: boolean } {
  const { fields } = useMessages();
  const formats = useFormats();
  const [parts, setParts] = useState<ReadonlyMap<number, number>>(new Map());
  const [fault, setFault] = useState<string | null>(null);
  const counting = useRef(0);
  const field = pictureField(place);

  const take = async (target: Field, file: File): Promise<string[]> => {
    const most = target.max_size_upload ?? Number.POSITIVE_INFINITY;
    if (file.size > most) throw new Error(fields.fileTooLarge(formats.size(most)));
    const key = counting.current++;
    const set = (part: number | null) =>
      setParts((before) => {
        const after = new Map(before);
        if (part === null) after.delete(key);
        else after.set(key, part);
        return after;
      });
    set(0);
    try {
      const reserved = await reserveFile(target.field_id, file);
      const taken = { id: reserved.id, name: file.name, size: file.size, type: file.type };
      const added = { ...taken, address: reserved.address };
      onFile?.(added);
      // The text has it at once; it is stored when all of it is there.
      reserved
        .send({ onProgress: (arrived, size) => set(size === 0 ? 1 : arrived / size) })
        .catch((error: unknown) => setFault(faultOfUpload(error, fields.uploadFailed)))
        .finally(() => set(null));
      return [markdownFor(added)];
    } catch (error) {
      set(null);
      throw error;
    }
  };
  const onFiles = async (files: File[]): Promise<string[]> => {
    setFault(field === undefined ? fields.noFileField : null);
    if (field === undefined) return [];
    const taken = await Promise.allSettled(files.map((file) => take(field, file)));
    const refused = taken.find((one) => one.status === 'rejected');
    if (refused) setFault(faultOfUpload(refused.reason, fields.uploadFailed));
    return taken.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  };
  const isUploading = parts.size > 0;
  const sum = [...parts.values()].reduce((all, part) => all + part, 0);
  const status = isUploading
    ? { words: fields.uploading(Math.round((sum / parts.size) * 100)), isFault: false }
    : fault === null
      ? null
      : { words: fault, isFault: true };
  return {
    tools: {
      complete: completionsFor(place.projectId),
      render: (text) =>
        rendered(place.projectId, text).catch((error: unknown) => {
          throw new Error(wordsOfError(error));
        }),
      ...(onFile === undefined ? {} : { onFiles, status }),
    },
    isUploading,
  };
}
