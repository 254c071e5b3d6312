import type { AccountExtension } from '../../identity/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { loadTracker } from '../compile.ts';
import {
  type FieldRenaming,
  type TrackerExtension,
  tellContributions,
  type ValueRenaming,
} from '../extension.ts';
import type { Field } from '../model.ts';
import { changeReportQueries, renameFieldInSettings, trackersInReportQueries } from '../reports/index.ts';

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

/** Whether its values are people, by whose user names queries ask for them. */
const isOfPeople = ({ bind, type }: Field) => bind?.kind === 'users' || type.bindings?.type === 'users';

async function trackersNaming(
  tx: Transaction,
  extensions: readonly TrackerExtension[],
  name: string,
): Promise<ReadonlySet<number>> {
  const ids = new Set(await trackersInReportQueries(tx, name));
  for (const extension of extensions)
    for (const id of (await extension.trackersInQueries?.(tx, name)) ?? []) ids.add(id);
  return ids;
}

/** Queries over one tracker go on to ask for somebody who is called otherwise. */
export const queriesOfAccounts = (extensions: readonly TrackerExtension[]): AccountExtension => ({
  async renamed(tx, _viewer, { from, to }) {
    for (const trackerId of await trackersNaming(tx, extensions, from)) {
      const tracker = await loadTracker(tx, trackerId);
      for (const { name: list } of tracker?.elements.filter(isOfPeople) ?? [])
        await changeQueries(tx, extensions, { trackerId, list, from, to });
    }
  },
});
