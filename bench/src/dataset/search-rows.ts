import { fold } from '../../../server/src/kernel/text.ts';
import type { Form } from './form.ts';
import type { NewArtifact } from './rows.ts';
import type { StoredText } from './texts.ts';

export const measureColumns = ['field_id', 'value', 'artifact_id'] as const;
export const textColumns = ['field_id', 'artifact_id', 'text'] as const;
export const commentColumns = ['changeset_id', 'artifact_id', 'text', 'readers'] as const;
export const pendingColumns = ['artifact_id', 'ticket'] as const;
export const textPendingColumns = ['id'] as const;
export const wordPendingColumns = ['id', 'ticket'] as const;

type Made = Pick<NewArtifact, 'id' | 'draft'>;

const dayMs = 86_400_000;
const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / dayMs;

/** Numbers and days, as the index of the product has them. */
export function measureRows({ id, draft }: Made, { fields }: Form) {
  return [
    [fields.startDate, dayNumber(draft.startDate), id],
    [fields.dueDate, dayNumber(draft.dueDate), id],
    [fields.effort, draft.effort, id],
    [fields.points, draft.points, id],
  ] as const;
}

const foldedTexts = new WeakMap<StoredText, string>();

/** Many artifacts share a text; each is folded once. The markup is what `description` writes. */
function folded(text: StoredText): string {
  const known = foldedTexts.get(text) ?? fold(text.html.trim().replaceAll(/<[^>]*>/g, ''));
  foldedTexts.set(text, known);
  return known;
}

export function textRows({ id, draft }: Made, { fields }: Form) {
  return [
    [fields.title, id, fold(draft.title)],
    [fields.description, id, folded(draft.description)],
  ] as const;
}

/** The number under which the product keeps the parts of a text; comments are those of field 0. */
export const textId = (fieldId: number, id: number) => fieldId * 2 ** 32 + id;
