import { sql } from '../../../storage/index.ts';
import type { SearchIndex } from '../search-index.ts';
import { all, hasAll } from '../sql.ts';

export const newest: SearchIndex['newest'] = async ({ readContext }, { fieldId }, { parts, most }) => {
  const rows = await all<{ id: number }>(
    readContext.reader,
    sql`select artifact_id as id from artifact_text where field_id = ${fieldId} and ${hasAll(parts)}
      order by artifact_id desc limit ${most}`,
  );
  return rows.map(({ id }) => id);
};
