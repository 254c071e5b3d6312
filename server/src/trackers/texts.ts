import { invalidMember } from '../kernel/errors.ts';

const longestLine = 255;
const longestParagraph = 65_535;

const lengthOf = (text: string) => [...text].length;

/** Checks a name that people read: one line that is not empty. */
export function oneLine(member: string, text: string): string {
  const length = lengthOf(text.trim());
  if (length === 0 || length > longestLine || /[\r\n]/.test(text))
    throw invalidMember(member, `It must be one line of 1 to ${longestLine} characters.`);
  return text.trim();
}

/** Checks a text that may have any number of lines. */
export function paragraph(member: string, text: string): string {
  if (lengthOf(text) > longestParagraph)
    throw invalidMember(member, `It must have at most ${longestParagraph} characters.`);
  return text;
}
