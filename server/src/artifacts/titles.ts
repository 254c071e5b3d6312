import { plainText, type Stored, type Tracker } from '../trackers/index.ts';
import type { Document } from './model.ts';

/** A title is one line, whatever the field holds. */
export function titleText(value: Stored | undefined): string {
  if (typeof value === 'string') return value;
  const isText = typeof value === 'object' && value !== null && 'content' in value;
  return isText
    ? plainText(value.content, value.format)
        .trim()
        .replaceAll(/\s*[\r\n]+\s*/g, ' ')
    : '';
}

/** The title of an artifact, whoever may read it; null when it has none. */
export function titleIn({ semantics }: Tracker, document: Document): string | null {
  const title = titleText(document[semantics.title?.fieldId ?? 0]);
  return title === '' ? null : title;
}
