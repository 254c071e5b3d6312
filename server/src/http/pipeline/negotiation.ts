import type { AnswerFormat } from '../headers.ts';

export class NotAcceptable extends Error {
  constructor() {
    super('Content negotiation failed. Try `application/json` instead.');
  }
}

interface Preference {
  readonly mediaType: string;
  readonly quality: number;
}

function parseAccept(accept: string): Preference[] {
  const entries = accept.split(',').map((entry) => {
    const [written = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    // As Java writes it on its own.
    const mediaType = written === '*' ? '*/*' : written;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { mediaType, quality: quality === undefined ? 1 : Number(quality) || 0 };
  });
  return entries.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
}

/** Whether it is most of all a page that is wanted, as by a browser that follows a link. */
export function prefersHtml(accept = ''): boolean {
  return parseAccept(accept)[0]?.mediaType === 'text/html';
}

function byAccept(accept: string): AnswerFormat {
  const preferences = parseAccept(accept);
  const lists = (mediaType: string) => preferences.some((preference) => preference.mediaType === mediaType);
  if (lists('text/html')) return 'json';
  for (const { mediaType } of preferences) {
    if (mediaType === 'application/json') return 'json';
    if (mediaType === 'application/xml') return 'xml';
  }
  if (lists('*/*') || lists('application/*')) return 'json';
  if (lists('text/*')) return 'xml';
  throw new NotAcceptable();
}

function checkCharset(acceptCharset: string): void {
  const known = acceptCharset
    .toLowerCase()
    .split(',')
    .map((entry) => entry.split(';', 1)[0]?.trim());
  if (!known.some((charset) => ['utf-8', 'iso-8859-1', '*'].includes(charset ?? '')))
    throw new NotAcceptable();
}

export interface FormatHints {
  /** Named by a `.json` or `.xml` suffix of the path; beats everything. */
  readonly suffix: AnswerFormat | undefined;
  readonly accept: string | undefined;
  readonly acceptCharset: string | undefined;
}

/** Which format the answer gets. */
export function negotiate({ suffix, accept, acceptCharset }: FormatHints): AnswerFormat {
  if (acceptCharset !== undefined && acceptCharset.trim() !== '') checkCharset(acceptCharset);
  if (suffix !== undefined) return suffix;
  if (accept === undefined || accept === '*/*' || accept.trim() === '') return 'json';
  return byAccept(accept);
}

/** As `negotiate`, for answers that must be given in any case. */
export function negotiateOrJson(hints: FormatHints): AnswerFormat {
  try {
    return negotiate(hints);
  } catch {
    return 'json';
  }
}
