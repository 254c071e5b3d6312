import {
  type Alternatives,
  alternatives,
  called,
  type QueryFault,
  Reader,
  type Span,
  several,
  type Wanted,
} from './query.ts';

/*
 * Queries over several trackers, as the page reads them while somebody types: which columns, from where, what must hold, in which order. The
 * server reads them again and has the last word.
 */

const projectTargets = ['@project.name', '@project.category', '@project'] as const;
const trackerTarget = '@tracker.name' as const;
export type FromTarget = (typeof projectTargets)[number] | typeof trackerTarget;

export interface NamedPart extends Span {
  readonly name: string;
}

export interface TextPart extends Span {
  readonly text: string;
}

/** `@project = MY_PROJECTS()`, `@tracker.name IN('bug', 'task')` */
export interface FromCondition extends Span {
  readonly target: FromTarget;
  readonly values: 'mine' | readonly TextPart[];
}

export interface CrossOrder extends NamedPart {
  readonly isDescending: boolean;
}

export interface CrossQuery {
  readonly columns: readonly NamedPart[];
  readonly from: readonly FromCondition[];
  readonly condition: Alternatives;
  readonly order?: CrossOrder | undefined;
}

export type ReadCrossQuery =
  | { readonly query: CrossQuery; readonly fault?: undefined }
  | { readonly query?: undefined; readonly fault: QueryFault };

const column: Wanted = { is: 'column' };

function named(reader: Reader): NamedPart | undefined {
  const from = reader.begin();
  const name = reader.name(column);
  return name === undefined ? undefined : { name, from, to: reader.at };
}

function text(reader: Reader, of: 'project' | 'tracker'): TextPart | undefined {
  const from = reader.begin();
  const read = reader.text({ is: 'text', of });
  return read === undefined ? undefined : { text: read, from, to: reader.at };
}

function fromCondition(reader: Reader): FromCondition | undefined {
  const from = reader.begin();
  const target = ([...projectTargets, trackerTarget] as const).find((one) => reader.sign(one));
  if (target === undefined) return undefined;
  const values = fromValues(reader, target === trackerTarget ? 'tracker' : 'project');
  return values && { target, values, from, to: reader.at };
}

function fromValues(reader: Reader, of: 'project' | 'tracker'): FromCondition['values'] | undefined {
  if (reader.sign('=')) {
    const only = text(reader, of);
    if (only !== undefined) return [only];
    return of === 'project' && called(reader, 'MY_PROJECTS', { is: 'word', word: 'MY_PROJECTS' })
      ? 'mine'
      : undefined;
  }
  if (!reader.word('IN') || !reader.sign('(')) return undefined;
  const values = several(
    reader,
    () => reader.sign(','),
    () => text(reader, of),
  );
  return values !== undefined && reader.sign(')') ? values : undefined;
}

const directions = ['ASCENDING', 'ASC', 'DESCENDING', 'DESC'] as const;

function order(reader: Reader): CrossOrder | undefined {
  const by = reader.word('ORDER') && reader.word('BY') ? named(reader) : undefined;
  const direction = by && directions.find((one) => reader.word(one));
  return by && direction && { ...by, isDescending: direction.startsWith('DESC') };
}

function crossQuery(reader: Reader): CrossQuery | undefined {
  if (!reader.word('SELECT')) return undefined;
  const columns = several(
    reader,
    () => reader.sign(','),
    () => named(reader),
  );
  if (columns === undefined || !reader.word('FROM')) return undefined;
  const first = fromCondition(reader);
  if (first === undefined) return undefined;
  const second = reader.attempt(() => (reader.word('AND') ? fromCondition(reader) : undefined));
  if (!reader.word('WHERE')) return undefined;
  const condition = alternatives(reader);
  if (condition === undefined) return undefined;
  const from = second === undefined ? [first] : [first, second];
  return { columns, from, condition, order: reader.attempt(() => order(reader)) };
}

export function readCrossQuery(source: string): ReadCrossQuery {
  const reader = new Reader(source);
  const query = crossQuery(reader);
  return query !== undefined && reader.isAtEnd() ? { query } : { fault: reader.fault() };
}

/** What could come after a text that is the beginning of a query. */
export function wantedAfterCross(source: string): readonly Wanted[] {
  // A sign that nothing can stand for shows what was wanted in its place.
  const { fault } = readCrossQuery(`${source}\u0000`);
  return fault !== undefined && source.slice(fault.at).trim() === '' ? fault.wanted : [];
}
