import type { ReadContext } from '../context.ts';
import { isVisible } from '../visibility.ts';
import { search } from './find.ts';
import type { Finding, NewestRequest, SearchOptions, TextPlace } from './search-index.ts';

async function visibleAmong(
  { readContext }: Finding,
  { view }: TextPlace,
  ids: readonly number[],
): Promise<readonly number[]> {
  if (ids.length === 0 || view.access.all) return ids;
  const { reader, viewer } = readContext;
  const seen = reader.sql.selectFrom('artifact').select('id').where('id', 'in', ids);
  const rows = await reader.all(seen.where(isVisible(view, viewer)).orderBy('id', 'desc'));
  return rows.map(({ id }) => id);
}

/**
 * The newest artifacts of each place that have all parts in their texts and that the viewer may see, without counting how
 * many there are: for those who want a few quickly. With `enough` found, the places that are left are not looked at.
 */
export function findNewest(
  readContext: ReadContext,
  places: readonly TextPlace[],
  { enough, ...input }: Omit<NewestRequest, 'places'> & SearchOptions & { readonly enough: number },
): Promise<readonly number[]> {
  return search(readContext, input, async (finding) => {
    const found: number[] = [];
    for (const place of places) {
      if (found.length >= enough) break;
      finding.clock.check();
      const ids = await finding.index.newest(finding, place, { ...input, places: places.length });
      found.push(...(await visibleAmong(finding, place, ids)));
    }
    return found;
  });
}
