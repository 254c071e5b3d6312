/** One line of `svnlook changed`. */
export interface ChangedLine {
  /** `A` added, `D` deleted, `U` content or properties changed. */
  readonly kind: 'A' | 'D' | 'U';
  /** Without a slash at either end. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** What `svnlook changed --copy-info` tells of sources, without a slash at either end: `    (from trunk/:r12)`. */
export const readCopySources = (text: string) =>
  [...text.matchAll(/^ {4}\(from (.*?)\/?:r\d+\)$/gm)].map(([, path = '']) => path);

/** Reads `svnlook changed`: two letters, two blanks, the path; folders end with a slash. */
export function readChanges(text: string): ChangedLine[] {
  return text.split('\n').flatMap((line): ChangedLine[] => {
    if (line.startsWith(' ')) return [];
    const [, content = '', path] = /^(.)..\s(.*)$/.exec(line) ?? [];
    if (path === undefined || path === '') return [];
    const kind = content === 'A' || content === 'D' ? content : 'U';
    const isFolder = path.endsWith('/');
    return [{ kind, path: isFolder ? path.slice(0, -1) : path, isFolder }];
  });
}

export interface ImmutableTags {
  readonly paths: readonly string[];
  readonly whitelist: readonly string[];
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `*` stands for one or more characters of one name. */
function matches(pattern: string, segment: string): boolean {
  if (!pattern.includes('*')) return pattern === segment;
  return new RegExp(`^${pattern.split(/\*+/).map(escaped).join('.+')}$`, 's').test(segment);
}

const startsWith = (segments: readonly string[], pattern: readonly string[]) =>
  segments.length >= pattern.length && pattern.every((part, index) => matches(part, segments[index] ?? ''));

const isWhole = (segments: readonly string[], pattern: readonly string[]) =>
  segments.length === pattern.length && startsWith(segments, pattern);

/** Whether the change deletes a folder in which a protected one lies. */
const deletesAbove = ({ kind, path }: ChangedLine, pattern: string) => {
  const [segments, protectedPath] = [segmentsOf(path), segmentsOf(pattern)];
  return (
    kind === 'D' &&
    segments.length < protectedPath.length &&
    startsWith(segments, protectedPath.slice(0, segments.length))
  );
};

/**
 * Whether a folder has something in it that the pattern protects. It is looked for name by name of the pattern: all that lies in the folder may
 * be millions of paths, and whoever deletes it waits.
 */
export async function hasProtected(
  folder: string,
  pattern: string,
  namesIn: (folder: string) => Promise<readonly string[]>,
): Promise<boolean> {
  const search = async (at: string, [part, ...deeper]: readonly string[]): Promise<boolean> => {
    if (part === undefined) return true;
    for (const name of await namesIn(at))
      if (matches(part, name) && (await search(`${at}/${name}`, deeper))) return true;
    return false;
  };
  return search(folder, segmentsOf(pattern).slice(segmentsOf(folder).length));
}

function isRefusedBy(
  change: ChangedLine,
  protectedPath: readonly string[],
  whitelist: readonly string[][],
): boolean {
  const segments = segmentsOf(change.path);
  if (!startsWith(segments, protectedPath)) return false;
  if (change.kind !== 'A') return true;
  const depth = segments.length - protectedPath.length;
  const parent = segments.slice(0, -1);
  return depth >= 2 && !whitelist.some((pattern) => isWhole(parent, pattern));
}

/**
 * The first change that the tags do not allow. `hides`: whether a deleted folder has a folder in it that this pattern
 * protects; asked only where that could be.
 */
export async function refusedChange(
  changes: readonly ChangedLine[],
  { paths, whitelist }: ImmutableTags,
  hides: (change: ChangedLine, pattern: string) => Promise<boolean>,
): Promise<ChangedLine | undefined> {
  const protectedPaths = paths.filter((path) => path.trim() !== '');
  const allowed = whitelist.filter((path) => path.trim() !== '').map(segmentsOf);
  for (const change of changes) {
    if (protectedPaths.some((path) => isRefusedBy(change, segmentsOf(path), allowed))) return change;
    for (const path of protectedPaths)
      if (deletesAbove(change, path) && (await hides(change, path))) return change;
  }
  return undefined;
}

/**
 * What the tags mean for a folder that is there: `sealed` where nothing may be added, changed or deleted, `open` where new
 * entries may be made and nothing else; undefined where they say nothing of it.
 */
export function protectionOf(
  folder: string,
  { paths, whitelist }: ImmutableTags,
): 'sealed' | 'open' | undefined {
  const allowed = whitelist.map(segmentsOf).filter(({ length }) => length > 0);
  const patterns = paths.filter((path) => path.trim() !== '').map(segmentsOf);
  const isRefused = (kind: ChangedLine['kind'], path: string) =>
    patterns.some((pattern) => isRefusedBy({ kind, path, isFolder: true }, pattern, allowed));
  if (!isRefused('U', folder)) return undefined;
  return isRefused('A', `${folder}/entry`) ? 'sealed' : 'open';
}
