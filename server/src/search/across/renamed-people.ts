import type { AccountExtension } from '../../identity/index.ts';
import { containsInAnyCase } from '../../storage/index.ts';
import { fieldTypes } from '../../trackers/index.ts';
import { relabelledInQuery } from '../tql/index.ts';
import type { QuerySemantic } from './names.ts';

const assignees: QuerySemantic = '@assigned_to';

/** What is compared to people in every tracker. Whether a field is one of people is not the same in all of them. */
const namesOfPeople = [
  assignees,
  ...[...fieldTypes.values()].flatMap(({ bindings, alwaysThere }) =>
    bindings?.type === 'users' && alwaysThere !== undefined ? [alwaysThere.name] : [],
  ),
];

/** Queries over several trackers go on to ask for somebody who is called otherwise. */
export const keptQueriesOfAccounts: AccountExtension = {
  async renamed(tx, _viewer, { from, to }) {
    const kept = tx.sql.selectFrom('search_query').select(['id', 'tql_query']);
    for (const { id, tql_query: before } of await tx.lock(
      kept.where(containsInAnyCase('tql_query', from)).orderBy('id'),
    )) {
      const after = namesOfPeople.reduce((text, list) => relabelledInQuery(text, { list, from, to }), before);
      if (after !== before)
        await tx.run(tx.sql.updateTable('search_query').set({ tql_query: after }).where('id', '=', id));
    }
  },
};
