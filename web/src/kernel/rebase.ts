import {
  type CurrentVersion,
  type FieldChange,
  type FieldConflict,
  type FieldEntry,
  mostMerges,
  type PendingChange,
  withShownText,
} from './change-log.ts';
import { essenceOf, mergeField } from './field-merge.ts';
import { mergedFiles } from './file-merge.ts';
import { mergedLinks } from './link-merge.ts';

function withContent(entry: FieldEntry, content: string): FieldEntry {
  const value = entry['value'];
  const written = typeof value === 'object' && value !== null ? { ...value, content } : content;
  return { ...entry, value: written };
}

/**
 * Puts a change on top of a version that somebody else made. Fields that only one side touched, and texts in which both wrote in other
 * lines, need no question; for the others the change waits for one. An undefined result: nothing is left to be sent.
 */
export function rebased(
  change: PendingChange,
  now: CurrentVersion,
  newKey: string,
): PendingChange | undefined {
  const fields: FieldChange[] = [];
  const conflicts: FieldConflict[] = [];
  for (const field of change.fields) {
    const theirs = now.valueOf(field.fieldId);
    const files = mergedFiles(field.before, field.entry, theirs);
    const outcome = files ?? mergeField(essenceOf(field.before), essenceOf(field.entry), essenceOf(theirs));
    if (outcome.kind === 'settled') continue;
    if (outcome.kind === 'merged' && 'entry' in outcome) {
      fields.push(withShownText(field, outcome.entry, theirs));
      continue;
    }
    if (outcome.kind === 'merged') {
      fields.push(withShownText(field, withContent(field.entry, outcome.content), theirs));
      continue;
    }
    const links = outcome.kind === 'conflict' && mergedLinks(field.before, field.entry, theirs);
    if (links) {
      fields.push(withShownText(field, links, theirs));
      continue;
    }
    fields.push(outcome.kind === 'mine' ? { ...field, before: theirs } : field);
    if (outcome.kind === 'conflict')
      conflicts.push({
        fieldId: field.fieldId,
        label: field.label,
        before: field.before,
        mine: field.entry,
        theirs,
      });
  }
  if (fields.length === 0 && change.comment === undefined) return undefined;
  const merges = change.merges + 1;
  const asks = conflicts.length > 0 || merges > mostMerges;
  return {
    ...change,
    key: newKey,
    fields,
    etag: fields.length > 0 ? now.etag : undefined,
    merges,
    attempts: 0,
    state: asks ? 'conflict' : 'waiting',
    conflicts: asks ? conflicts : undefined,
  };
}
