/*
 * Everything that speaks HTTP.
 *
 * app.ts       the listener and the framework, and what never reaches it: read it first
 * api.ts       one request through the stages of pipeline/, in their order
 * route.ts     what a route gets and gives; services.ts all that routes work with; headers.ts
 * routes/      what each route does, by resource: authenticate, decide, act, present
 * fast-path/   the short way; bytes/ up- and downloads; svn/ Subversion clients (svn-verdict.ts what Apache means by its answers); site/ pages (web-application.ts)
 * forms/       trackers as forms; in-parts.ts answers that are written while they are sent
 * limits/      memory, connections and time of one thread; visit-recorder.ts, reading-recorder.ts, svn-use-recorder.ts what people looked at
 *
 * A route gets only what its contract declares, checked and converted, and a refusal becomes a status in one place.
 */

export { createApp } from './app.ts';
export { AnswerMemory, BodyBudget, Door, Slices } from './limits/index.ts';
export { ReadingRecorder } from './reading-recorder.ts';
export type { Log, Services } from './services.ts';
export { SvnUseRecorder } from './svn-use-recorder.ts';
export { VisitRecorder } from './visit-recorder.ts';
export { WebApplication } from './web-application.ts';
