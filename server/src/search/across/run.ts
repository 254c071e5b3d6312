import { readSettings } from '../../identity/index.ts';
import { invalid, Refusal } from '../../kernel/errors.ts';
import type { Page } from '../../kernel/paging.ts';
import type { Condition, TrackerView } from '../../trackers/index.ts';
import type { ReadContext } from '../context.ts';
import { findIds, type IdPage, type Target } from '../index/index.ts';
import { type CrossQuery, parseQuery, refuseComplex, SyntaxFault } from '../tql/index.ts';
import { canReadLinks, linkField, viewOfArtifact, viewsFor } from '../visibility.ts';
import { columnsOf, type QueryColumn } from './columns.ts';
import { findAcross } from './find.ts';
import { orderOf } from './order.ts';
import { trackersFrom } from './scope.ts';
import { checkNames, targetsOf } from './where.ts';

/** A query over several trackers, as somebody wrote it. */
export interface QueryRequest extends Page {
  readonly text: string;
  /** The project that the query is asked from; null: none. */
  readonly projectId: number | null;
  /** Milliseconds after which the search is given up. */
  readonly patience: number;
}

/** A query about what is linked to an artifact: its FROM and WHERE say nothing. */
export interface LinkedRequest extends Page {
  readonly text: string;
  readonly artifactId: number;
  readonly direction: 'forward' | 'reverse';
  readonly patience: number;
}

export interface FoundContent extends IdPage {
  readonly columns: readonly QueryColumn[];
}

function parsed(text: string): CrossQuery {
  if (text.trim() === '') throw invalid('The query is empty.');
  const query = parseQuery(text);
  if (query.form === 'cross-tracker') return query.query;
  throw invalid('The query has no FROM: it must begin with SELECT … FROM … WHERE.');
}

/** What is wrong with a query is told to people, and of its syntax where. */
function inWords(error: unknown): unknown {
  if (error instanceof SyntaxFault) {
    const { line, column, message } = error;
    return new Refusal('invalid', '', { userMessage: message, textPosition: { line, column } });
  }
  if (!(error instanceof Refusal) || error.kind !== 'invalid') return error;
  return new Refusal('invalid', '', { userMessage: error.extras.userMessage ?? error.detail });
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw inWords(error);
  }
}

/** Answers a query over several trackers. Runs off the event loop. */
export function findContent(
  readContext: ReadContext,
  { text, projectId, ...page }: QueryRequest,
): Promise<FoundContent> {
  return explained(async () => {
    const { select, from, where, orderBy } = parsed(text);
    const settings = await readSettings(readContext.reader);
    const views = await trackersFrom(readContext, from, projectId, settings.query_tracker_limit);
    refuseComplex(where, settings.query_complexity_limit);
    checkNames(views, where);
    const targets = await targetsOf({ readContext, views, now: Date.now() }, where);
    const columns = columnsOf(views, select, settings.query_column_limit);
    const order = await orderOf(readContext, views, orderBy);
    return { columns, ...(await findAcross(readContext, targets, order, page)) };
  });
}

/** Links of an artifact are seen by whoever may read the field that carries them. */
async function maySeeLinksOf(readContext: ReadContext, artifactId: number): Promise<boolean> {
  const view = await viewOfArtifact(readContext, artifactId);
  return view !== undefined && (linkField(view.tracker) === undefined || canReadLinks(view));
}

/** The trackers of what is linked to the artifact. */
async function linkedTrackers(
  { reader }: ReadContext,
  { artifactId, direction }: LinkedRequest,
): Promise<number[]> {
  const [own, other] =
    direction === 'forward' ? (['source_id', 'target_id'] as const) : (['target_id', 'source_id'] as const);
  const query = reader.sql
    .selectFrom('artifact_link')
    .innerJoin('artifact', 'artifact.id', `artifact_link.${other}`)
    .select('artifact.tracker_id')
    .distinct()
    .where(`artifact_link.${own}`, '=', artifactId)
    .orderBy('artifact.tracker_id');
  return (await reader.all(query)).map(({ tracker_id }) => tracker_id);
}

/** The views of trackers in which the viewer sees something of it: to them the others are as if nothing there were linked. */
async function targetsSeen(
  readContext: ReadContext,
  views: readonly TrackerView[],
  condition: Condition,
  patience: number,
): Promise<Target[]> {
  const seen: Target[] = [];
  for (const view of views) {
    const { size } = await findIds(readContext, view, condition, {
      limit: 1,
      offset: 0,
      isDescending: false,
      patience,
    });
    if (size > 0) seen.push({ view, condition });
  }
  return seen;
}

/** What is linked to an artifact, with the columns and in the order of a query. Runs off the event loop. */
export function findLinkedContent(readContext: ReadContext, request: LinkedRequest): Promise<FoundContent> {
  return explained(async () => {
    const { text, artifactId, direction, ...page } = request;
    const { select, where, orderBy } = parsed(text);
    const settings = await readSettings(readContext.reader);
    refuseComplex(where, settings.query_complexity_limit);
    const isSeen = await maySeeLinksOf(readContext, artifactId);
    const linked = await viewsFor(readContext, isSeen ? await linkedTrackers(readContext, request) : []);
    // Seen from the other end.
    const condition: Condition = {
      is: 'linked',
      direction: direction === 'forward' ? 'reverse' : 'forward',
      end: { is: 'artifact', id: artifactId },
    };
    const targets = await targetsSeen(readContext, linked, condition, request.patience);
    const views = targets.map(({ view }) => view);
    const columns = columnsOf(views, select, settings.query_column_limit);
    const order = await orderOf(readContext, views, orderBy);
    return { columns, ...(await findAcross(readContext, targets, order, page)) };
  });
}
