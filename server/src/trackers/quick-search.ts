import { preferredFirst, type QuickSearch } from '../kernel/quick-search.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { contains, type Reader, sql } from '../storage/index.ts';
import { trackersSeen } from './seen.ts';

/** A tracker as a look by words finds it. */
export interface NamedTracker {
  readonly id: number;
  readonly name: string;
  readonly itemName: string;
  readonly color: string;
  readonly projectLabel: string;
}

export interface NamedReport {
  readonly id: number;
  readonly name: string;
  readonly trackerId: number;
  readonly trackerName: string;
  readonly color: string;
}

/** Found ones of which the best are chosen. */
const mostFound = 200;

/** One's own projects come first; without a project in particular, and so does what is preferred. */
const ownFirst = sql<number>`case when own.account_id is null then 1 else 0 end`;

/** True where the name or the short name of a tracker has a word. */
const namesTracker = (word: string) =>
  sql<boolean>`(${contains('tracker.name_key', word)} or ${contains('tracker.item_name_key', word)})`;

/** A few trackers that the viewer sees and whose names have all words. */
export async function searchTrackers(
  reader: Reader,
  viewer: Viewer,
  { words, projectId, preferred, limit }: QuickSearch,
): Promise<NamedTracker[]> {
  let found = trackersSeen(reader, viewer);
  if (projectId !== undefined) found = found.where('tracker.project_id', '=', projectId);
  for (const word of words) found = found.where(namesTracker(word));
  const rows = await reader.all(
    found
      .select([
        'tracker.id',
        'tracker.name',
        'tracker.item_name as itemName',
        'tracker.color',
        'project.label as projectLabel',
      ])
      .orderBy(ownFirst)
      .orderBy('tracker.name_key')
      .orderBy('tracker.id')
      .limit(mostFound),
  );
  return preferredFirst(rows, preferred).slice(0, limit);
}

/** A few reports that are public or the viewer's own, of trackers that they see. */
export async function searchReports(
  reader: Reader,
  viewer: Viewer,
  { words, projectId, preferred, limit }: QuickSearch,
): Promise<NamedReport[]> {
  let found = trackersSeen(reader, viewer)
    .innerJoin('report', 'report.tracker_id', 'tracker.id')
    .where((row) => row.or([row('report.owner_id', 'is', null), row('report.owner_id', '=', viewer.userId)]));
  if (projectId !== undefined) found = found.where('tracker.project_id', '=', projectId);
  for (const word of words)
    found = found.where(
      sql<boolean>`(${contains('report.name_key', word)} or ${contains('tracker.name_key', word)})`,
    );
  const rows = await reader.all(
    found
      .select([
        'report.id',
        'report.name',
        'tracker.id as trackerId',
        'tracker.name as trackerName',
        'tracker.color',
      ])
      .orderBy(ownFirst)
      .orderBy('report.name_key')
      .orderBy('report.id')
      .limit(mostFound),
  );
  return preferredFirst(rows, preferred).slice(0, limit);
}

/** Trackers with a title that the viewer sees, those of their own projects first. */
export async function titledTrackers(
  reader: Reader,
  viewer: Viewer,
  { projectId, limit }: Pick<QuickSearch, 'projectId' | 'limit'>,
): Promise<number[]> {
  let seen = trackersSeen(reader, viewer)
    .innerJoin('semantic', 'semantic.tracker_id', 'tracker.id')
    .where('semantic.name', '=', 'title');
  if (projectId !== undefined) seen = seen.where('tracker.project_id', '=', projectId);
  const rows = await reader.all(
    seen.select('tracker.id').orderBy(ownFirst).orderBy('tracker.id', 'desc').limit(limit),
  );
  return rows.map(({ id }) => id);
}
