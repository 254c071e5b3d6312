import { diffArrays } from 'diff';

/** A stretch of lines on which both sides wrote something else. */
export interface TextConflict {
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

/** Lines that are settled, or a conflict. */
export type MergedPart = readonly string[] | TextConflict;

export interface MergedText {
  readonly parts: readonly MergedPart[];
  /** The whole text where nothing conflicts. */
  readonly text: string | undefined;
}

export const isConflict = (part: MergedPart): part is TextConflict => !Array.isArray(part);

/** Lines of the base from `from` up to `to` were replaced by `lines`. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

function hunksBetween(base: readonly string[], changed: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  let open: { from: number; to: number; lines: string[] } | undefined;
  for (const { added, removed, value } of diffArrays([...base], [...changed])) {
    if (!added && !removed) {
      if (open !== undefined) hunks.push(open);
      open = undefined;
      at += value.length;
      continue;
    }
    open ??= { from: at, to: at, lines: [] };
    if (removed) {
      at += value.length;
      open.to = at;
    } else open.lines.push(...value);
  }
  if (open !== undefined) hunks.push(open);
  return hunks;
}

const touches = (left: Hunk, from: number, to: number) => left.from <= to && left.to >= from;

/** What a side made of the lines `from` to `to` of the base. */
function sideOf(base: readonly string[], hunks: readonly Hunk[], from: number, to: number): string[] {
  const lines: string[] = [];
  let at = from;
  for (const hunk of hunks) {
    lines.push(...base.slice(at, hunk.from), ...hunk.lines);
    at = hunk.to;
  }
  return [...lines, ...base.slice(at, to)];
}

const same = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((line, index) => line === right[index]);

/** Takes from the front of both lists the hunks that touch each other, and what touches those. */
function takeTogether(
  mine: Hunk[],
  theirs: Hunk[],
): { readonly from: number; readonly to: number; readonly mine: Hunk[]; readonly theirs: Hunk[] } {
  const from = Math.min(
    mine[0]?.from ?? Number.POSITIVE_INFINITY,
    theirs[0]?.from ?? Number.POSITIVE_INFINITY,
  );
  const taken = { from, to: from, mine: [] as Hunk[], theirs: [] as Hunk[] };
  for (;;) {
    const next = [mine, theirs].find(([first]) => first !== undefined && touches(first, from, taken.to));
    const hunk = next?.shift();
    if (next === undefined || hunk === undefined) return taken;
    (next === mine ? taken.mine : taken.theirs).push(hunk);
    taken.to = Math.max(taken.to, hunk.to);
  }
}

/** Merges by lines what two people made of the same text. */
export function mergeTexts(base: string, mine: string, theirs: string): MergedText {
  const lines = base.split('\n');
  const myHunks = [...hunksBetween(lines, mine.split('\n'))];
  const theirHunks = [...hunksBetween(lines, theirs.split('\n'))];
  const parts: MergedPart[] = [];
  let at = 0;
  while (myHunks.length > 0 || theirHunks.length > 0) {
    const together = takeTogether(myHunks, theirHunks);
    if (together.from > at) parts.push(lines.slice(at, together.from));
    at = together.to;
    const my = sideOf(lines, together.mine, together.from, together.to);
    const their = sideOf(lines, together.theirs, together.from, together.to);
    if (together.mine.length === 0) parts.push(their);
    else if (together.theirs.length === 0 || same(my, their)) parts.push(my);
    else parts.push({ mine: my, theirs: their });
  }
  if (at < lines.length) parts.push(lines.slice(at));
  return {
    parts,
    text: parts.some(isConflict)
      ? undefined
      : parts.flatMap((part) => (isConflict(part) ? [] : part)).join('\n'),
  };
}
