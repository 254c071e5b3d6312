import type { SvnWorkspace } from '../workspace/index.ts';
import { type AccessFault, findAccessFault, longestAccessText } from './check.ts';
import {
  type GeneratedAccess,
  mergeAccess,
  readAccessText,
  type Sections,
  withoutLostGroups,
  writeAccessFile,
} from './rules.ts';
import { cleanAccessText } from './text.ts';

/** What one line of the file gives to whom. */
export interface SaidRight {
  readonly path: string;
  readonly name: string;
  readonly right: string;
}

/** What a text would mean were it saved. */
export interface AccessTrial {
  readonly faults: readonly AccessFault[];
  readonly warnings: readonly AccessFault[];
  /** The file that Subversion would read; without what is at fault. */
  readonly effective: string;
  readonly sight: readonly SaidRight[];
  /** What a person may do at a path: `rw`, `r` or nothing; null where nobody asked, or there are faults. */
  readonly right: string | null;
}

/** Lines that would be commented out, because there is no such group. */
function lostLines(text: string, cleaned: string): AccessFault[] {
  const before = text.slice(0, text.indexOf(text.trim())).split('\n').length - 1;
  const after = cleaned.split('\n');
  return text
    .trim()
    .split('\n')
    .flatMap((line, index) =>
      after[index] === line
        ? []
        : {
            line: before + index + 1,
            words: `There is no group ${/@[^\s=]*/.exec(line)?.[0] ?? ''} in the project; the line will be left out.`,
          },
    );
}

/** A text that is too long, at the line where it becomes so. */
function lengthFault(text: string): AccessFault | undefined {
  const bytes = Buffer.from(text);
  if (bytes.length <= longestAccessText) return undefined;
  const line = bytes.subarray(0, longestAccessText).toString('utf8').split('\n').length;
  return { line, words: `The text is longer than ${longestAccessText} bytes from here on.` };
}

const rightsIn = (sections: Sections): SaidRight[] =>
  [...sections]
    .filter(([header]) => header !== 'groups' && header !== 'aliases')
    .flatMap(([path, entries]) => entries.map(({ name, value }) => ({ path, name, right: value.trim() })));

async function rightOf(
  svnWorkspace: SvnWorkspace,
  file: string,
  { login, path, repository }: { login: string; path: string; repository: string },
): Promise<string | null> {
  const question = ['--username', login.toLowerCase(), '--path', path, '--repository', repository];
  const { code, out } = await svnWorkspace.withDraft(file, (draft) =>
    svnWorkspace.run('svnauthz', ['accessof', ...question, draft], { seconds: 20 }),
  );
  if (code !== 0) return null;
  const said = out.trim();
  return said === 'no' ? '' : said;
}

/** Tries what somebody wrote, without keeping it. `asked`: of whom and where the outcome is wanted. */
export async function tryAccessText(
  svnWorkspace: SvnWorkspace,
  generated: GeneratedAccess,
  {
    text: input,
    repository,
    asked,
  }: {
    text: string;
    repository: string;
    asked: { login: string; path: string } | undefined;
  },
): Promise<AccessTrial> {
  const text = input.trim() === '' ? '' : input;
  const tooLong = lengthFault(text.trim());
  const cleaned = tooLong === undefined ? cleanAccessText(text, new Set(generated.groups.keys())) : '';
  const found = cleaned === '' ? undefined : await findAccessFault(svnWorkspace, generated, cleaned);
  const before = text.slice(0, text.indexOf(text.trim())).split('\n').length - 1;
  const faults = [tooLong, found && { ...found, line: before + found.line }].filter(
    (fault) => fault !== undefined,
  );
  const own = faults.length === 0 ? readAccessText(cleaned) : new Map();
  const sections = withoutLostGroups(mergeAccess(generated, own));
  const effective = writeAccessFile(sections);
  const isAsked = asked !== undefined && faults.length === 0;
  return {
    ...{ faults, warnings: tooLong === undefined ? lostLines(text, cleaned) : [], effective },
    sight: rightsIn(sections),
    right: isAsked ? await rightOf(svnWorkspace, effective, { ...asked, repository }) : null,
  };
}
