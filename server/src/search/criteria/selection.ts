import { readSettings } from '../../identity/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Reader } from '../../storage/index.ts';
import { allOf, type Condition, type TrackerView } from '../../trackers/index.ts';
import { type Alternatives, parseQuery, refuseComplex, SyntaxFault, trackerCondition } from '../tql/index.ts';
import { readCriteria, withoutBackslashes } from './criteria.ts';
import { readReportCriteria } from './report-criteria.ts';

/** Which artifacts of a tracker are asked for: by criteria as a request gave them, or by a query. */
export type Selection =
  /** `isWhole`: every criterion must ask for something. Elsewhere those that ask for nothing are passed over. */
  { readonly criteria: unknown; readonly isWhole?: boolean } | { readonly query: string };

/** A query as it was sent; where that is none, one level of backslashes may be too much. */
function parsed(text: string) {
  try {
    return parseQuery(text);
  } catch (fault) {
    if (!(fault instanceof SyntaxFault)) throw fault;
    try {
      return parseQuery(withoutBackslashes(text));
    } catch {
      const { line, column, message } = fault;
      throw new Refusal('invalid', `Error during parsing expert query. ${message}`, {
        textPosition: { line, column },
      });
    }
  }
}

/** The condition that a query of one tracker is; other forms are not for it. */
function parsedCondition(text: string): Alternatives {
  const query = parsed(text);
  if (query.form !== 'condition') throw new Refusal('invalid');
  return query.condition;
}

/** What a selection means to somebody; refuses what means nothing. */
export async function selectedBy(
  reader: Reader,
  viewer: Viewer,
  view: TrackerView,
  selection: Selection,
): Promise<Condition> {
  const context = { reader, viewer, tracker: view.tracker, now: Date.now() };
  if ('criteria' in selection) return readCriteria(view, selection.criteria, context, selection.isWhole);
  const tree = parsedCondition(selection.query);
  refuseComplex(tree, (await readSettings(reader)).query_complexity_limit);
  return trackerCondition(tree, view, context);
}

/** A search of which every part must hold that is given: criteria as those of reports, and a query. */
export interface CombinedSelection {
  readonly criteria?: unknown;
  /** Empty: none. */
  readonly query?: string;
  /** Whether every criterion must ask for something. Elsewhere those that ask for nothing are passed over. */
  readonly isWhole?: boolean;
}

/** Says which parameter is at fault. */
export async function blamedOn<T>(member: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error;
    throw new Refusal(
      'invalid',
      `Invalid value specified for \`${member}\`. ${error.detail}`.trim(),
      error.extras,
    );
  }
}

/** What such a search means to somebody. */
export async function selectedByAll(
  reader: Reader,
  viewer: Viewer,
  view: TrackerView,
  { criteria, query = '', isWhole = false }: CombinedSelection,
): Promise<Condition> {
  const context = { reader, viewer, tracker: view.tracker, now: Date.now() };
  const byCriteria = await blamedOn('query', () => readReportCriteria(view, criteria, context, isWhole));
  if (query.trim() === '') return byCriteria;
  const byQuery = await blamedOn('expert_query', () => selectedBy(reader, viewer, view, { query }));
  return both(byCriteria, byQuery);
}

/** Both must hold. */
export function both(left: Condition, right: Condition): Condition {
  if (left.is === 'anything') return right;
  return right.is === 'anything' ? left : allOf([left, right]);
}
