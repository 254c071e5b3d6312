import { readSettings } from '../../identity/index.ts';
import { invalid, Refusal } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Reader } from '../../storage/index.ts';
import type { Condition, TrackerView } from '../../trackers/index.ts';
import { refuseComplex, trackerCondition } from '../tql/conditions.ts';
import { parseQuery } from '../tql/parser.ts';
import { SyntaxFault } from '../tql/scanner.ts';
import type { Alternatives } from '../tql/tree.ts';
import { readCriteria, withoutBackslashes } from './criteria.ts';

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
      throw invalid(`Error during parsing expert query. ${fault.message}`);
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
