import { invalid } from '../kernel/errors.ts';
import {
  AccessTextFault,
  type GeneratedAccess,
  mergeAccess,
  readAccessText,
  writeAccessFile,
} from './access-rules.ts';
import { cleanAccessText } from './access-text.ts';
import type { Workplace } from './workplace.ts';

/** Longer than any text that people write; as much as the reference keeps. */
const longestText = 65_535;

/** The line that has what Subversion complains about; 1 when it names nothing that is there. */
function lineOf(text: string, complaint: string): number {
  const named = [...complaint.matchAll(/(?<!\w)'([^']+)'|(\[[^\]]*\])/g)].map(
    ([, quoted, header]) => quoted ?? header ?? '',
  );
  const lines = text.split('\n').map((line) => line.trim());
  const isMeant = (line: string, name: string) =>
    !line.startsWith('#') &&
    (name.startsWith('[') ? line.startsWith(name.slice(0, -1)) : line.includes(name));
  for (const name of named.flatMap((one) => [one, one.replace(/^@/, '')])) {
    const at = lines.findLastIndex((line) => isMeant(line, name));
    if (at !== -1) return at + 1;
  }
  return 1;
}

const refusal = (line: number, words: string) =>
  invalid(`\`settings[access_file]\` is not valid, line ${line}: ${words}`);

/** Asks Subversion whether it would read the file; undefined when it would. */
async function complaintOf(workplace: Workplace, file: string): Promise<string | undefined> {
  const { code, error } = await workplace.withDraft(file, (path) =>
    workplace.run('svnauthz', ['validate', path]),
  );
  if (code === 0) return undefined;
  const lines = error.trim().split('\n');
  return lines
    .slice(lines.length > 1 ? 1 : 0)
    .map((line) => line.replace(/^svnauthz: E\d+: /, ''))
    .join(' ');
}

/**
 * Cleans what somebody wrote, and refuses it when Subversion would reject the file made from it: then nobody could get
 * in. Gives the text to be kept.
 */
export async function checkAccessText(
  workplace: Workplace,
  generated: GeneratedAccess,
  given: string,
): Promise<string> {
  const text = cleanAccessText(given, new Set(generated.groups.keys()));
  if (Buffer.byteLength(text) > longestText)
    throw invalid(`\`settings[access_file]\` is longer than ${longestText} bytes.`);
  // Lines are counted in the text as it was sent.
  const before = given.slice(0, given.indexOf(given.trim())).split('\n').length - 1;
  if (text === '') return text;
  try {
    const complaint = await complaintOf(
      workplace,
      writeAccessFile(mergeAccess(generated, readAccessText(text))),
    );
    if (complaint !== undefined) throw refusal(before + lineOf(text, complaint), complaint);
  } catch (error) {
    if (error instanceof AccessTextFault) throw refusal(before + error.line, error.message);
    throw error;
  }
  return text;
}
