import { Refusal } from '../../kernel/errors.ts';
import { isObject } from '../../kernel/values.ts';
import type { Stored } from '../../trackers/index.ts';
import type { Document } from '../model.ts';

const mebibyte = 1024 * 1024;
/** Bytes of all texts of one artifact. Each of them has a limit of its own; a tracker may have any number of them. */
const mostText = 4 * mebibyte;
/** The same with what is rendered from them and kept with them: a sign may become a link. */
const mostStored = 16 * mebibyte;

/** Characters of all values of the other artifacts that one change writes, because they get or lose a link. */
const mostOfOthers = 32 * mebibyte;

const lengthOf = (text: unknown): number => (typeof text === 'string' ? Buffer.byteLength(text) : 0);

/** Bytes of the text in a value, as it was written and with what is rendered from it. */
function measure(value: Stored): { readonly text: number; readonly stored: number } {
  if (Array.isArray(value)) {
    // Files with their descriptions.
    const text = value.flat().reduce((sum: number, item: unknown) => sum + lengthOf(item), 0);
    return { text, stored: text };
  }
  if (!isObject(value)) return { text: lengthOf(value), stored: lengthOf(value) };
  const { content, html } = value;
  return { text: lengthOf(content), stored: lengthOf(content) + lengthOf(html) };
}

function total(document: Document) {
  const sum = { text: 0, stored: 0 };
  for (const value of Object.values(document)) {
    const { text, stored } = measure(value);
    sum.text += text;
    sum.stored += stored;
  }
  return sum;
}

const tooLong = (of: string, most: number, bytes: number) =>
  new Refusal('too-large', `The texts of an artifact have at most ${most} bytes in all${of}, not ${bytes}.`);

/**
 * Refuses values with more text than an artifact may have, so that no answer about it is too large. What had more before
 * there was a limit may be changed, as long as it does not grow. `length`: characters of the values as JSON.
 */
export function requireBoundedText(after: Document, length: number, before: Document = {}): void {
  // No character is more than three bytes, so most need no second look.
  if (3 * length <= mostText) return;
  const [old, now] = [total(before), total(after)];
  if (now.text > mostText && now.text > old.text) throw tooLong('', mostText, now.text);
  if (now.stored > mostStored && now.stored > old.stored)
    throw tooLong(', with the HTML that is made from them', mostStored, now.stored);
}

/** Refuses a change of links at the other ends of which there is so much text that everybody else who writes would wait. */
export function requireBoundedOthers(length: number): void {
  if (length <= mostOfOthers) return;
  throw new Refusal(
    'too-large',
    `The artifacts that get or lose a link by this change have more than ${mostOfOthers} characters in all. Link fewer of them at once.`,
  );
}
