import * as contract from '@atelier/contract';
import { findAccounts } from '../../../identity/index.ts';
import { formatInstant } from '../../../kernel/clock.ts';
import { invalid } from '../../../kernel/errors.ts';
import type { PresentationContext } from '../../../present/index.ts';
import { type HistoryEntry, readProjectHistory } from '../../../projects/index.ts';
import { bind, Json, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { parseQueryObject } from '../artifacts/index.ts';

const entryText = (
  people: PresentationContext['people'],
  { at, by, event, subject, details }: HistoryEntry,
) =>
  `{"date":"${formatInstant(at)}","event":${JSON.stringify(event)},"subject":${JSON.stringify(subject)}` +
  `,"details":${JSON.stringify(details)},"user":${people.minimal(by)}}`;

/** What of a history is asked for. */
function criteriaOf(text: string | undefined): { event?: string; userId?: number } {
  if (text === undefined) return {};
  const criteria = parseQueryObject(text);
  const fault = (words: string) => invalid(`parameter "query": ${words}`);
  if (criteria === undefined) throw fault('expecting a JSON object');
  const { event, user_id: userId, ...others } = criteria;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw fault(`there is no criterion "${unknown}"`);
  if (event !== undefined && typeof event !== 'string') throw fault('"event" must be a text');
  if (userId !== undefined && !(typeof userId === 'number' && Number.isSafeInteger(userId)))
    throw fault('"user_id" must be a number');
  return {
    ...(event === undefined ? {} : { event }),
    ...(userId === undefined ? {} : { userId }),
  };
}

export function projectHistoryBindings({ database, people }: Services): RouteBinding[] {
  return [
    bind(contract.listProjectHistory, async ({ viewer, params, query }) => {
      const { items, size } = await readProjectHistory(database, viewer, {
        ...{ projectId: params.id, limit: query.limit, offset: query.offset },
        ...criteriaOf(query.query),
      });
      const seen = people.seenBy(viewer, (await database.revisions()).identity);
      const write = () => items.map((entry) => entryText(seen, entry)).join(',');
      write();
      if (seen.isIncomplete) await seen.load((ids) => findAccounts(database, ids));
      return { body: new Json(`[${write()}]`), page: { ...query, size } };
    }),
  ];
}
