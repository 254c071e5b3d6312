import type { ReadContext } from '../context.ts';
import { search } from './find.ts';
import type { SearchOptions } from './search-index.ts';

/** Trackers in which all of the parts may be, anywhere in their texts, comments and files; undefined: any of them. */
export function trackersWith(
  readContext: ReadContext,
  parts: readonly string[],
  options: SearchOptions,
): Promise<ReadonlySet<number> | undefined> {
  return search(readContext, options, async (finding) => {
    let possible: Set<number> | undefined;
    for (const part of parts) {
      const having = await finding.index.trackersWith(finding, part);
      possible = having === undefined ? possible : (possible?.intersection(having) ?? having);
    }
    return possible;
  });
}
