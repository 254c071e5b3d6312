/*
 * What people and programs see as it happens: `GET /events`.
 *
 * model.ts     messages, and the text that they travel as: read it first
 * topics.ts    what a stream can be about, and who may hear of it
 * tellers.ts   what each kind of event says, to whom, under which topics; artifacts.ts those of artifacts
 * streams.ts   all streams of a thread: looks into the log of events (`storage/event-log.ts`), and tells each what it may hear
 *
 * Nobody hears of anything that they could not read at that moment. Nothing is missed in silence: what cannot be told ends in `reset`.
 */

export { type Ear, EventStreams } from './streams.ts';
export { permittedTopics, requireTopics } from './topics.ts';
