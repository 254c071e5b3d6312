import { lineOf, type Tracker } from '../trackers/index.ts';
import type { Document } from './model.ts';

/** The title of an artifact, whoever may read it; null when it has none. */
export function titleIn({ semantics }: Tracker, document: Document): string | null {
  const title = lineOf(document[semantics.title?.fieldId ?? 0]);
  return title === '' ? null : title;
}
