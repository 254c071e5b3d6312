/*
 * The stages of a request, in their order. `docs/life-of-a-request.md` follows one of them.
 *
 * arrival.ts, connections.ts, pipelining.ts   before anything is known: hosts, limits, silence
 * incoming-body.ts, request-body.ts, bodies.ts, encodings.ts, json-steps.ts, xml.ts   the body
 * negotiation.ts       JSON or XML; authentication.ts who sends it
 * binding.ts           params, query and body by the contract; preconditions.ts, request-keys.ts headers that bind
 * exchange.ts          the answer: read it first; root-exchange.ts the same for paths outside the API; sending.ts writes no faster than it is taken;
 *                      open-connection.ts what goes on until either side ends it
 * errors.ts            the one place that knows statuses; error-page.ts refusals for browsers; cut-off.ts callers who are gone
 * remembered.ts        answers that can be given again; turn.ts gathers what comes in one turn of the event loop; request-log.ts lines and numbers
 *
 * The order of the stages is the order in which refusals come: `http/api.ts` calls them.
 */

export {
  ArrivalLimit,
  answerUnreadable,
  dropRest,
  hasBody,
  hostFault,
  limitArrival,
  limitSlowness,
  readTarget,
} from './arrival.ts';
export {
  addressOf,
  authenticate,
  cookieHeader,
  ForeignPage,
  mayTakeLong,
  readingCaller,
  refuseForeignPages,
  saysSignedIn,
} from './authentication.ts';
export { bindBody, bindQuery, checkBounds, withinIds } from './binding.ts';
export { isPacking, isXmlType } from './bodies.ts';
export { ConnectionGate } from './connections.ts';
export { CutOff } from './cut-off.ts';
export { errorPage } from './error-page.ts';
export { errorBody, stopping, toFailure } from './errors.ts';
export { Exchange } from './exchange.ts';
export { IncomingBody, strangersLimit } from './incoming-body.ts';
export { prefersHtml } from './negotiation.ts';
export { oneByOne } from './pipelining.ts';
export { matchesNone, preconditionOf } from './preconditions.ts';
export { type Remembered, RememberedAnswers, type RepeatableAnswer } from './remembered.ts';
export { RequestBody } from './request-body.ts';
export { keyOfPart, requestKeyOf } from './request-keys.ts';
export { RootExchange } from './root-exchange.ts';
export { TurnGathering } from './turn.ts';
export { feedInSteps, NodeCount } from './xml.ts';
