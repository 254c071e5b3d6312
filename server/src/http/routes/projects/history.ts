import * as contract from '@atelier/contract';
import { findAccounts } from '../../../identity/index.ts';
import { formatInstant } from '../../../kernel/clock.ts';
import type { PresentationContext } from '../../../present/index.ts';
import { type HistoryEntry, readProjectHistory } from '../../../projects/index.ts';
import { bind, Json, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

const entryText = (people: PresentationContext['people'], { at, by, event, subject }: HistoryEntry) =>
  `{"date":"${formatInstant(at)}","event":${JSON.stringify(event)},"subject":${JSON.stringify(subject)}` +
  `,"user":${people.minimal(by)}}`;

export function projectHistoryBindings({ database, people }: Services): RouteBinding[] {
  return [
    bind(contract.listProjectHistory, async ({ viewer, params, query }) => {
      const { items, size } = await readProjectHistory(database, viewer, { projectId: params.id, ...query });
      const seen = people.seenBy(viewer, (await database.revisions()).identity);
      const write = () => items.map((entry) => entryText(seen, entry)).join(',');
      write();
      if (seen.isIncomplete) await seen.load((ids) => findAccounts(database, ids));
      return { body: new Json(`[${write()}]`), page: { ...query, size } };
    }),
  ];
}
