import type { Reader } from '../../storage/index.ts';
import type { Condition, TrackerView } from '../../trackers/index.ts';
import { provable, type ReadContext } from '../context.ts';
import { SearchDeadline, usualPatience } from './deadline.ts';
import { searchIndexOn } from './engines.ts';
import type { IdSet } from './id-set.ts';
import { usualSearchLimits } from './limits.ts';
import { LinkedTrackers } from './linked-trackers.ts';
import { findPending } from './postings/index.ts';
import type { Finding, FindingPage, IdPage, SearchOptions } from './search-index.ts';

/** All reads of a search see one state, and it ends in time. */
export function search<T>(
  readContext: ReadContext,
  { patience = usualPatience, limits = usualSearchLimits }: SearchOptions,
  work: (finding: Finding) => Promise<T>,
): Promise<T> {
  const clock = new SearchDeadline(patience, readContext.reader.turn);
  const index = searchIndexOn(readContext.reader);
  return readContext.reader.consistently(clock.left, async (reader) => {
    let pending: Promise<IdSet | undefined> | undefined;
    const { readContext: own, prove } = provable(readContext, reader);
    const found = await work({
      index,
      readContext: own,
      clock,
      limits,
      linkedTrackers: new LinkedTrackers(reader),
      pending: () => (pending ??= findPending(reader, limits.pending)),
      known: new Map(),
    });
    await prove();
    return found;
  });
}

/** A page of the artifacts that meet the condition and that the viewer may see, by id, and their exact number. */
export function findIds(
  readContext: ReadContext,
  view: TrackerView,
  condition: Condition,
  page: FindingPage,
): Promise<IdPage> {
  return search(readContext, page, (finding) => finding.index.page(finding, { view, condition }, page));
}

/** All ids of a target, in their order: for those who sort by something else. */
export function findAllIds(
  readContext: ReadContext,
  view: TrackerView,
  condition: Condition,
  options: SearchOptions = {},
): Promise<readonly number[]> {
  return search(readContext, options, (finding) => finding.index.ids(finding, { view, condition }));
}

/** What is read of all that meet the condition, in the state that they were found in. `check` ends the work when its time is over. */
export function withAllIds(
  readContext: ReadContext,
  view: TrackerView,
  condition: Condition,
  options: SearchOptions,
  work: (found: { readonly ids: readonly number[]; readonly reader: Reader; check(): void }) => Promise<void>,
): Promise<void> {
  return search(readContext, options, async (finding) =>
    work({
      ids: await finding.index.ids(finding, { view, condition }),
      reader: finding.readContext.reader,
      check: () => finding.clock.check(),
    }),
  );
}

/** The next artifacts behind a given one, for whoever goes through all of them: nothing is held open in between. */
export function findIdsAfter(
  readContext: ReadContext,
  view: TrackerView,
  condition: Condition,
  { after, limit, ...options }: { readonly after: number; readonly limit: number } & SearchOptions,
): Promise<readonly number[]> {
  return search(readContext, options, (finding) =>
    finding.index.idsAfter(finding, { view, condition }, { after, limit }),
  );
}
