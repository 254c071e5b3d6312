import type { Transaction } from '../../storage/index.ts';
import { type FieldRenaming, type TrackerExtension, tellContributions } from '../extension.ts';
import { renameFieldInReports } from '../reports/index.ts';

/** A field has another short name: what is kept and names it names it so from now on, and sums are made of others. */
export async function followRenaming(
  tx: Transaction,
  extensions: readonly TrackerExtension[],
  renaming: FieldRenaming,
): Promise<void> {
  const { trackerId, from, to } = renaming;
  if (from === to) return;
  const inQuery = (query: string) =>
    extensions.reduce((text, extension) => extension.renamedQuery?.(text, renaming) ?? text, query);
  await renameFieldInReports(tx, renaming, inQuery);
  for (const extension of extensions) await extension.fieldRenamed?.(tx, renaming);
  await tellContributions(tx, extensions, { trackerId, names: [from, to] });
}
