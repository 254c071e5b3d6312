import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ReadContext, readContextOf } from '../artifacts/index.ts';
import { minute, second } from '../kernel/clock.ts';
import { Refusal } from '../kernel/errors.ts';
import type { LiveKind } from '../kernel/events.ts';
import { systemViewer, type Viewer } from '../kernel/viewer.ts';
import {
  type Database,
  eventsKeptFor,
  hasUnnumberedEvents,
  isInEventLog,
  type LoggedEvent,
  lastEventNumber,
  readEventLog,
} from '../storage/index.ts';
import type { Trackers } from '../trackers/index.ts';
import { type Message, reset, signedOut, signOfLife, standing, type Teller, wireText } from './model.ts';
import { tellers } from './tellers.ts';

/** Whoever listens at the other end of a stream. */
export interface Ear {
  /** Hands over some text; never waits for anybody to take it. */
  send(text: string): void;
  end(): void;
  /** Who it is now; undefined: nobody any more. */
  identify(): Promise<Viewer | undefined>;
}

interface Stream {
  readonly ear: Ear;
  readonly topics: readonly string[];
  viewer: Viewer;
  /** In which second of a round it is told that the stream lives. */
  readonly beat: number;
}

/** Where somebody goes on: after the event of a number, or with what happened since a time. */
interface Place {
  readonly after?: number | undefined;
  readonly since?: number | undefined;
}

export interface StreamDeps {
  readonly database: Database;
  readonly trackers: Trackers;
  /** Gives numbers to what has none yet. */
  readonly numberEvents: () => Promise<void>;
  /** What cannot be told to the streams. */
  readonly fault: (error: unknown) => void;
}

/** Milliseconds between two looks: at a counter of the file, or at a table of a server. */
const looks = { cheap: 100, dear: 200 };
/** Seconds between two signs of life. */
const beats = 20;
/** Events that are told again to somebody who comes back. */
const mostReplayed = 1000;
/** Events that are read at once. */
const portion = 200;
/** So many are dealt with before others get their turn. */
const inARow = 50;

/** All streams of a thread. While there are any, it looks for what happened, in whatever thread or process that was. */
export class EventStreams {
  readonly #deps: StreamDeps;
  readonly #streams = new Set<Stream>();
  /** Streams by their topics, and under `user` by whose they are. */
  readonly #byTopic = new Map<string, Set<Stream>>();
  /** All up to this number was told, or is being told, to those who were there. */
  #position = 0;
  /** All up to this number was told to them. */
  #told = 0;
  /** Streams that are there or are being opened. */
  #users = 0;
  #started: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #beatTimer: NodeJS.Timeout | undefined;
  #mark: number | undefined;
  #identity: number | undefined;
  #beat = 0;
  #isLooking = false;

  constructor(deps: StreamDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#streams.size;
  }

  /**
   * Opens a stream: says `hello`, tells what happened after the event of that number, and from then on what happens. Gives what ends it.
   */
  async open(
    ear: Ear,
    { viewer, topics, ...place }: { viewer: Viewer; topics: readonly string[] } & Place,
    hello: readonly Message[],
  ): Promise<() => void> {
    this.#users++;
    const stream: Stream = { ear, topics, viewer, beat: this.#users % beats };
    try {
      await this.#start();
      await this.#begin(stream, place, hello);
    } catch (error) {
      this.#remove(stream);
      this.#leave();
      throw error;
    }
    return () => {
      if (this.#remove(stream)) this.#leave();
    };
  }

  /** Whether it was among those that are told. */
  #remove(stream: Stream): boolean {
    for (const name of placesOf(stream)) this.#forget(name, stream);
    return this.#streams.delete(stream);
  }

  /** Says that something will be missed, and ends all streams: the service stops. */
  endAll(): void {
    for (const { ear } of this.#streams) {
      ear.send(wireText(reset));
      ear.end();
    }
  }

  async #begin(stream: Stream, { after, since }: Place, hello: readonly Message[]): Promise<void> {
    const { database } = this.#deps;
    const { ear } = stream;
    await this.#number();
    const last = await lastEventNumber(database);
    const from = after ?? since;
    const isKnown = from === undefined || from === last || (await this.#isKept({ after, since }));
    let position = isKnown ? (from ?? last) : last;
    const missed = await readEventLog(database, position, mostReplayed + 1);
    const isTooMuch = missed.length > mostReplayed;
    if (isTooMuch) position = await lastEventNumber(database);
    // A time at which nothing happened is no place to go on from later: its number is not in the log.
    else if (missed.length === 0 && last > 0) position = Math.min(position, last);
    const [first, ...others] = hello;
    ear.send('retry: 2000\n');
    if (first !== undefined) ear.send(wireText(first, from === undefined ? position : undefined));
    for (const message of others) ear.send(wireText(message));
    if (!isKnown || isTooMuch) ear.send(wireText(reset, position));
    await this.#catchUp(stream, position, isTooMuch ? [] : missed);
  }

  /** Whether all that came after a place is still there. Numbers are times, or later ones. */
  async #isKept({ after, since = 0 }: Place): Promise<boolean> {
    if (after !== undefined) return isInEventLog(this.#deps.database, after);
    return since > Date.now() - eventsKeptFor + minute;
  }

  /** Tells what happened meanwhile until there is nothing left that the others were told already. */
  async #catchUp(stream: Stream, from: number, missed: readonly LoggedEvent[]): Promise<void> {
    let position = from;
    for (let events = missed; ; events = await readEventLog(this.#deps.database, position, portion)) {
      for (const event of events) {
        position = event.number;
        if (!(await this.#isFor(stream, event))) continue;
        await this.#tell(event, [stream]);
        await nextTurn();
      }
      if (this.#position <= position) break;
    }
    this.#streams.add(stream);
    for (const name of placesOf(stream)) {
      const all = this.#byTopic.get(name) ?? new Set();
      this.#byTopic.set(name, all.add(stream));
    }
    // What this one was told already is not told again.
    this.#early.set(stream, position);
    // Whoever came in may have been signed out before this stream was among those that are asked.
    await this.#askAgain(stream);
  }

  /** How far streams were told when they came, where that was further than the others were. */
  readonly #early = new WeakMap<Stream, number>();

  #forget(name: string, stream: Stream): void {
    const all = this.#byTopic.get(name);
    all?.delete(stream);
    if (all?.size === 0) this.#byTopic.delete(name);
  }

  async #isFor(stream: Stream, event: LoggedEvent): Promise<boolean> {
    const names = new Set(await this.#placesOf(event));
    return placesOf(stream).some((name) => names.has(name));
  }

  /** Begins to look, with the first stream. */
  #start(): Promise<void> {
    this.#started ??= (async () => {
      const { database } = this.#deps;
      await this.#number();
      this.#position = await lastEventNumber(database);
      this.#told = this.#position;
      this.#identity = await database.revision('identity');
      this.#mark = undefined;
      this.#lookLater();
      this.#beatTimer = setInterval(() => this.#signLife(), second).unref();
    })();
    return this.#started;
  }

  #leave(): void {
    this.#users--;
    if (this.#users > 0) return;
    this.#started = undefined;
    clearTimeout(this.#timer);
    clearInterval(this.#beatTimer);
    this.#timer = undefined;
  }

  #lookLater(): void {
    const { locksRows } = this.#deps.database.capabilities;
    const started = this.#started;
    this.#timer = setTimeout(
      async () => {
        await this.#lookOnce();
        if (this.#started === started) this.#lookLater();
      },
      locksRows ? looks.dear : looks.cheap,
    ).unref();
  }

  async #lookOnce(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#look();
    } catch (error) {
      // What could not be read now is read the next time: nothing is passed over.
      this.#deps.fault(error);
    }
    this.#isLooking = false;
  }

  async #look(): Promise<void> {
    const { database } = this.#deps;
    database.renew();
    const mark = database.changeMark();
    if (mark !== undefined && mark === this.#mark) return;
    await this.#askWho();
    await this.#number();
    for (;;) {
      const events = await readEventLog(database, this.#position, portion);
      for (const event of events) {
        await this.#tellAll(event);
        // What was said leaves before more is.
        await nextTurn();
      }
      if (events.length < portion) break;
    }
    this.#mark = mark;
  }

  async #number(): Promise<void> {
    const { database, numberEvents } = this.#deps;
    if (await hasUnnumberedEvents(database)) await numberEvents();
  }

  /** Who listens is asked again whenever something about accounts, keys or sessions has changed: before anything more is told. */
  async #askWho(): Promise<void> {
    const identity = await this.#deps.database.revision('identity');
    if (identity === this.#identity) return;
    let asked = 0;
    for (const stream of [...this.#streams]) {
      await this.#askAgain(stream);
      if (++asked % inARow === 0) await nextTurn();
    }
    this.#identity = identity;
  }

  async #askAgain(stream: Stream): Promise<void> {
    const viewer = await stream.ear.identify();
    if (viewer === undefined || viewer.userId !== stream.viewer.userId) {
      stream.ear.send(wireText(signedOut));
      stream.ear.end();
      return;
    }
    // Most of the time nothing is new, and many streams are kept for long.
    if (JSON.stringify(viewer) === JSON.stringify(stream.viewer)) return;
    stream.viewer = viewer;
    if (stream.topics.includes('user')) stream.ear.send(wireText(standing));
  }

  /** All names under which an event is told. */
  async #placesOf({ happening }: LoggedEvent): Promise<string[]> {
    const teller = tellerOf(happening.kind);
    const topics = teller.topicsOf(happening);
    const people = (await teller.peopleOf?.(happening, await this.#contextOf(systemViewer))) ?? [];
    return [...topics, ...people.map(userPlace)];
  }

  #contextOf(viewer: Viewer): Promise<ReadContext> {
    return readContextOf(this.#deps.database, viewer, this.#deps.trackers);
  }

  /** Tells an event to all whom it concerns and who may know of it. */
  async #tellAll(event: LoggedEvent): Promise<void> {
    const names = await this.#placesOf(event);
    // Whoever hears of something reads it next. What fails here is told at the next look.
    if (this.#concernedBy(event, names).size > 0) await this.#deps.database.settle();
    // From here to the list of those who are told nobody can come in between.
    this.#position = event.number;
    const concerned = this.#concernedBy(event, names);
    let told = 0;
    for (const [, streams] of Map.groupBy(concerned, ({ viewer }) => viewer.userId)) {
      await this.#tell(event, streams);
      if (++told % inARow === 0) await nextTurn();
    }
    this.#told = event.number;
  }

  #concernedBy({ number }: LoggedEvent, names: readonly string[]): ReadonlySet<Stream> {
    const concerned = new Set<Stream>();
    for (const name of names)
      for (const stream of this.#byTopic.get(name) ?? [])
        if ((this.#early.get(stream) ?? 0) < number) concerned.add(stream);
    return concerned;
  }

  /** Tells an event to streams of one person. What cannot be found out now is missed, and they are told so. */
  async #tell(event: LoggedEvent, streams: readonly Stream[]): Promise<void> {
    const [first] = streams;
    if (first === undefined) return;
    let messages: readonly Message[];
    try {
      messages = await this.#messagesFor(event, first.viewer);
    } catch (error) {
      if (!(error instanceof Refusal)) this.#deps.fault(error);
      messages = [reset];
    }
    const text = messages
      .map((message, index) => wireText(message, index === messages.length - 1 ? event.number : undefined))
      .join('');
    if (text !== '') for (const { ear } of streams) ear.send(text);
  }

  async #messagesFor({ happening, client }: LoggedEvent, viewer: Viewer): Promise<readonly Message[]> {
    const teller = tellerOf(happening.kind);
    return teller.messagesFor({ facts: happening, client }, await this.#contextOf(viewer));
  }

  /** A part of the streams each second, so that all of them together are never written to at once; sessions that are over are noticed here. */
  #signLife(): void {
    this.#beat = (this.#beat + 1) % beats;
    const due = [...this.#streams].filter(({ beat }) => beat === this.#beat);
    // Whoever goes on from there missed nothing: not what is being told just now either.
    for (const stream of due) stream.ear.send(signOfLife(Math.max(this.#told, this.#early.get(stream) ?? 0)));
    void this.#askThese(due).catch((error: unknown) => this.#deps.fault(error));
  }

  async #askThese(streams: readonly Stream[]): Promise<void> {
    for (const stream of streams) await this.#askAgain(stream);
  }
}

const userPlace = (id: number) => `user/${id}`;

/** The names under which a stream hears something. */
const placesOf = ({ topics, viewer }: Stream): string[] =>
  topics.map((topic) => (topic === 'user' ? userPlace(viewer.userId) : topic));

/** The facts of an event are those of its kind: the log keeps both together. */
function tellerOf<Kind extends LiveKind>(kind: Kind): Teller<Kind> {
  return tellers[kind];
}
