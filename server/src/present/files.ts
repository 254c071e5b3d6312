import type { FileDescription } from '@atelier/contract';
import { type FileFacts, isPicture } from '../files/index.ts';

/** Below this path lies every file that can be downloaded. */
export const downloadFolder = '/plugins/tracker/attachments';

/** As RFC 3986 has it: encodeURIComponent leaves a few more characters alone. */
export const percentEncoded = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

type Named = Pick<FileFacts, 'id' | 'name'>;

/** Where the bytes of a file are downloaded. */
export const downloadPath = ({ id, name }: Named) => `${downloadFolder}/${id}-${percentEncoded(name)}`;
const previewPath = ({ id, name }: Named) => `${downloadFolder}/preview/${id}-${percentEncoded(name)}`;

const shared = ({ id, submittedBy, description, name, size, type }: FileFacts) => ({
  id,
  submitted_by: submittedBy,
  description,
  name,
  size,
  type,
});

/** An attached file, as JSON. */
export const fileText = (file: FileFacts): string =>
  JSON.stringify({
    ...shared(file),
    html_url: downloadPath(file),
    html_preview_url: isPicture(file) ? previewPath(file) : null,
    uri: `artifact_files/${file.id}`,
  });

/** A file that is not attached yet has no pages. */
export const presentTemporaryFile = (file: FileFacts): FileDescription => ({
  ...shared(file),
  html_url: null,
  html_preview_url: null,
  uri: `artifact_files/${file.id}`,
});
