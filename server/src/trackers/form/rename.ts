import type { Transaction } from '../../storage/index.ts';
import {
  type FieldRenaming,
  type TrackerExtension,
  tellContributions,
  type ValueRenaming,
} from '../extension.ts';
import { changeReportQueries, renameFieldInSettings } from '../reports/index.ts';

/** Queries that are kept, wherever that is, ask for what they asked for. */
async function changeQueries(
  tx: Transaction,
  extensions: readonly TrackerExtension[],
  renaming: FieldRenaming | ValueRenaming,
): Promise<void> {
  const changed = (query: string) =>
    extensions.reduce((text, extension) => extension.renamedQuery?.(text, renaming) ?? text, query);
  await changeReportQueries(tx, renaming.trackerId, changed);
  for (const extension of extensions) await extension.queriesChanged?.(tx, renaming.trackerId, changed);
}

/** A field has another short name: what is kept and names it names it so from now on, and sums are made of others. */
export async function followRenaming(
  tx: Transaction,
  extensions: readonly TrackerExtension[],
  renaming: FieldRenaming,
): Promise<void> {
  const { trackerId, from, to } = renaming;
  if (from === to) return;
  await renameFieldInSettings(tx, renaming);
  await changeQueries(tx, extensions, renaming);
  await tellContributions(tx, extensions, { trackerId, names: [from, to] });
}

/** A value of a list has another label, by which queries ask for it. */
export async function followRelabelling(
  tx: Transaction,
  extensions: readonly TrackerExtension[],
  renaming: ValueRenaming,
): Promise<void> {
  if (renaming.from !== renaming.to) await changeQueries(tx, extensions, renaming);
}
