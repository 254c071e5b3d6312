import type { Transaction } from '../../storage/index.ts';
import type { Tracker } from '../model.ts';
import { whoAsks } from '../query/index.ts';
import type { CopiedIds } from '../workflow/index.ts';
import type { NewRenderer, NewReport, ReportColumn, SavedCriterion, SortKey } from './model.ts';
import { defaultReport } from './model.ts';
import { copiedSettings } from './settings.ts';
import { insertReport, loadPublicReports } from './store.ts';

/** What a list is asked for, in the copy. What people typed stays where it was typed. */
function copiedValues(fieldId: number, value: unknown, ids: CopiedIds): (number | string)[] {
  return [value].flat().flatMap((id: unknown) => {
    if (id === whoAsks) return whoAsks;
    return typeof id === 'number' ? (ids.value(fieldId, id) ?? []) : [];
  });
}

function copiedCriterion(criterion: SavedCriterion, from: Tracker, ids: CopiedIds): SavedCriterion[] {
  const { fieldId: formerId, asks, ...more } = criterion;
  if (formerId === null) return [criterion];
  const fieldId = ids.field(formerId);
  if (fieldId === undefined) return [];
  const isList = from.elementById.get(formerId)?.bind != null;
  if (asks === undefined || asks.value === null || !isList) return [{ ...criterion, fieldId }];
  const value = copiedValues(formerId, asks.value, ids);
  return [{ ...more, fieldId, ...(value.length === 0 ? {} : { asks: { ...asks, value } }) }];
}

/** Columns and sort keys go where their fields went. */
function copiedFields<Named extends ReportColumn | SortKey>(
  named: readonly Named[],
  ids: CopiedIds,
): Named[] {
  return named.flatMap((one) => {
    const fieldId = ids.field(one.fieldId);
    return fieldId === undefined ? [] : [{ ...one, fieldId }];
  });
}

const copiedRenderer = (renderer: NewRenderer, from: Tracker, ids: CopiedIds): NewRenderer => ({
  ...renderer,
  columns: renderer.columns && copiedFields(renderer.columns, ids),
  sort: copiedFields(renderer.sort, ids),
  settings: copiedSettings(renderer.type, renderer.settings, from, ids),
});

/** Gives a tracker that has none yet public reports that name things of another; the usual one when there are none. */
export async function insertCopies(
  tx: Transaction,
  trackerId: number,
  reports: readonly NewReport[],
  { from, ids }: { readonly from: Tracker; readonly ids: CopiedIds },
): Promise<void> {
  for (const report of reports.length === 0 ? [defaultReport] : reports)
    await insertReport(
      tx,
      { trackerId, ownerId: null },
      {
        ...report,
        criteria: report.criteria.flatMap((criterion) => copiedCriterion(criterion, from, ids)),
        renderers: report.renderers.map((renderer) => copiedRenderer(renderer, from, ids)),
      },
    );
}

/** Gives a tracker that has none yet the public reports of another. */
export async function copyReports(
  tx: Transaction,
  from: Tracker,
  trackerId: number,
  ids: CopiedIds,
): Promise<void> {
  await insertCopies(tx, trackerId, await loadPublicReports(tx, from.id), { from, ids });
}
