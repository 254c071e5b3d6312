import type { IncomingHttpHeaders } from 'node:http';
import * as contract from '@atelier/contract';
import { readContextOf } from '../../../artifacts/index.ts';
import type { Caller } from '../../../identity/index.ts';
import { forbidden, invalid, Refusal, unavailable } from '../../../kernel/errors.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { type Ear, permittedTopics, requireTopics } from '../../../live/index.ts';
import { readingCaller } from '../../pipeline/index.ts';
import { bind, OpenAnswer, type OpenConnection, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

/** Streams of one session or key at the most. */
const mostOfOne = 20;
/** Bytes that wait for somebody who does not read, before they are cut off. */
const mostUnread = 1024 * 1024;
/** Seconds after which somebody who found no room may come again. */
const pause = 10;

/** Whom a stream counts for. */
function holderOf({ credential, userId }: Viewer, address: string): string {
  if (credential.kind === 'session' || credential.kind === 'access-key')
    return `${credential.kind} ${credential.id}`;
  return userId === 0 ? `address ${address}` : `account ${userId}`;
}

function requireRoom({ streamCounts, config, door }: Services, holder: string): void {
  if (door.isDraining) throw unavailable('The service is about to stop.', { retryAfter: pause });
  if (streamCounts.of(holder) >= mostOfOne)
    throw unavailable(`There are ${mostOfOne} streams of yours already.`, { retryAfter: pause });
  if (streamCounts.all() >= config.eventStreams)
    throw unavailable('There are too many streams already.', { retryAfter: pause });
}

/** Where the caller left off. One who got nothing yet may say so by an empty header. */
function positionIn(headers: IncomingHttpHeaders, after: number | undefined): number | undefined {
  const told = headers['last-event-id'];
  if (after !== undefined || typeof told !== 'string' || told === '') return after;
  if (!/^\d{1,15}$/.test(told))
    throw invalid('Invalid value specified for `Last-Event-ID`. It is no id of an event.');
  return Number(told);
}

/** The other end of a stream. What somebody does not read is not kept for them. */
function earOf(services: Services, connection: OpenConnection, identify: Ear['identify']): Ear {
  return {
    send(text) {
      if (connection.isOver) return;
      if (connection.unread <= mostUnread) return connection.write(text);
      services.metrics.count('streams_cut');
      connection.cut();
    },
    end: () => connection.end(),
    identify,
  };
}

/** Who has the credentials now; undefined where they open nothing any more. */
async function identified(
  { authenticator }: Services,
  caller: Caller,
  before: Viewer,
): Promise<Viewer | undefined> {
  try {
    return await authenticator.authenticate(caller);
  } catch (error) {
    // Whether they do is not known while the database is away.
    if (error instanceof Refusal) return error.kind === 'unavailable' ? before : undefined;
    throw error;
  }
}

export function eventBindings(services: Services): RouteBinding[] {
  const { database, trackers, streams, streamCounts, web, log } = services;
  return [
    bind(contract.streamEvents, async ({ viewer, query, headers, address }) => {
      const topics = requireTopics(query.topics);
      const after = positionIn(headers, query.after);
      const readContext = await readContextOf(database, viewer, trackers);
      const { permitted, refused } = await permittedTopics(readContext, topics);
      if (permitted.length === 0) throw forbidden('You may hear of none of these topics.');
      const holder = holderOf(viewer, address);
      requireRoom(services, holder);
      const hello = {
        event: 'hello',
        data: { build: web.digest ?? '', now: new Date().toISOString(), topics: permitted },
      };
      const refusals = refused.map((topic) => ({ event: 'refused', data: { topic } }));
      const caller = readingCaller(headers, address);
      return {
        body: new OpenAnswer('text/event-stream', (connection) => {
          streamCounts.add(holder, 1);
          let leave: (() => void) | undefined;
          let isOver = false;
          connection.onceOver(() => {
            isOver = true;
            streamCounts.add(holder, -1);
            leave?.();
          });
          const ear = earOf(services, connection, () => identified(services, caller, viewer));
          const opening = streams.open(ear, { viewer, topics: permitted, after, since: query.since }, [
            hello,
            ...refusals,
          ]);
          opening.then(
            (end) => {
              leave = end;
              if (isOver) end();
            },
            (error: unknown) => {
              log.warn({ error: String(error) }, 'a stream of events could not be opened');
              connection.cut();
            },
          );
        }),
      };
    }),
  ];
}
