import type { FileFacts } from '../../files/index.ts';
import { percentEncoded } from '../../present/index.ts';
import type { FlatHeaders } from '../headers.ts';

/** How a file is asked for. */
interface DownloadOptions {
  readonly isPreview: boolean;
  readonly isInline: boolean;
}

type Typed = Pick<FileFacts, 'type'>;

const mediaType =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[\w !#$&^.,:/()+-]*"))*$/;
/** Types that a page of ours could be made to run or to be styled by, although they are saved when opened. */
const usedByPages = /^(?:(?:text|application)\/(?:x-)?(?:java|ecma|live|j)script|text\/css)/i;

/** The type as the uploader named it, where it is one and can do no harm. */
export const servedType = ({ type }: Typed): string =>
  mediaType.test(type) && !usedByPages.test(type) ? type : 'application/octet-stream';

const shownAsIs = /^(?:image\/(?:png|jpe?g|gif|webp)|text\/plain|application\/pdf)(?:\s*;|$)/i;
const isPdf = /^application\/pdf/i;

const isShown = (file: Typed, { isPreview, isInline }: DownloadOptions) =>
  !isPreview && isInline && shownAsIs.test(servedType(file));

/** Nothing in a file runs, whatever a browser makes of it. A sandbox would keep browsers from showing PDF. */
export function policyOf(file: Typed, options: DownloadOptions): FlatHeaders {
  const frames = isShown(file, options) ? "'self'" : "'none'";
  const sandbox = isShown(file, options) && isPdf.test(file.type) ? '' : '; sandbox';
  const rules = `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors ${frames}${sandbox}`;
  return ['Content-Security-Policy', rules];
}

/** Files are saved, not shown; the few types that are harmless are shown to those who ask for it. */
export function dispositionOf(file: FileFacts, options: DownloadOptions): FlatHeaders {
  const { name } = file;
  const plain = name.replace(/[/\\]/g, '-').replace(/[^\x20-\x7e]/g, '');
  const exact = plain === name ? '' : `; filename*=UTF-8''${percentEncoded(name)}`;
  const kind = isShown(file, options) ? 'inline' : 'attachment';
  return ['Content-Disposition', `${kind}; filename="${plain.replaceAll('"', '\\"')}"${exact}`];
}
