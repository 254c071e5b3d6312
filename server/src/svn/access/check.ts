import { invalid } from '../../kernel/errors.ts';
import type { SvnWorkspace } from '../workspace/index.ts';
import {
  AccessTextFault,
  type GeneratedAccess,
  mergeAccess,
  readAccessText,
  writeAccessFile,
} from './rules.ts';
import { cleanAccessText } from './text.ts';

/** Longer than any text that people write; as much as the reference keeps. */
export const longestAccessText = 65_535;

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

/** Asks Subversion whether it would read the file; undefined when it would. */
async function complaintOf(svnWorkspace: SvnWorkspace, file: string): Promise<string | undefined> {
  const { code, error } = await svnWorkspace.withDraft(file, (path) =>
    svnWorkspace.run('svnauthz', ['validate', path]),
  );
  if (code === 0) return undefined;
  const lines = error.trim().split('\n');
  return lines
    .slice(lines.length > 1 ? 1 : 0)
    .map((line) => line.replace(/^svnauthz: E\d+: /, ''))
    .join(' ');
}

/** What Subversion would say against the file made from a text. */
export interface AccessFault {
  /** From 1. */
  readonly line: number;
  readonly words: string;
}

/** Why Subversion would reject the file made from a text; undefined when it would not. */
export async function findAccessFault(
  svnWorkspace: SvnWorkspace,
  generated: GeneratedAccess,
  text: string,
): Promise<AccessFault | undefined> {
  try {
    const complaint = await complaintOf(
      svnWorkspace,
      writeAccessFile(mergeAccess(generated, readAccessText(text))),
    );
    return complaint === undefined ? undefined : { line: lineOf(text, complaint), words: complaint };
  } catch (error) {
    if (error instanceof AccessTextFault) return { line: error.line, words: error.message };
    throw error;
  }
}

/**
 * Cleans what somebody wrote, and refuses it when Subversion would reject the file made from it: then nobody could get
 * in. Gives the text to be kept.
 */
export async function checkAccessText(
  svnWorkspace: SvnWorkspace,
  generated: GeneratedAccess,
  input: string,
): Promise<string> {
  const text = cleanAccessText(input, new Set(generated.groups.keys()));
  if (Buffer.byteLength(text) > longestAccessText)
    throw invalid(`\`settings[access_file]\` is longer than ${longestAccessText} bytes.`);
  const fault = text === '' ? undefined : await findAccessFault(svnWorkspace, generated, text);
  if (fault === undefined) return text;
  // Lines are counted in the text as it was sent.
  const before = input.slice(0, input.indexOf(input.trim())).split('\n').length - 1;
  throw invalid(`\`settings[access_file]\` is not valid, line ${before + fault.line}: ${fault.words}`);
}
