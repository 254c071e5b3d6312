import { type ErrorBody, reasonPhrases } from '@atelier/contract';
import { type RateLimit, Refusal, type RefusalKind, unavailable } from '../../kernel/errors.ts';
import { ForeignPage } from './authentication.ts';
import { UnsupportedMediaType } from './bodies.ts';
import { CutOff } from './cut-off.ts';
import { NotAcceptable } from './negotiation.ts';

const statuses: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  gone: 410,
  locked: 423,
  'precondition-failed': 412,
  'too-large': 413,
  'too-many': 429,
  unavailable: 503,
};

export interface Failure {
  readonly status: number;
  readonly body: ErrorBody;
  readonly retryAfter?: number | undefined;
  readonly rateLimit?: RateLimit | undefined;
  /** Set when the operator should know more than the caller: to be logged, never shown. */
  readonly fault?: unknown;
}

export function errorBody(code: number, detail = ''): ErrorBody {
  const phrase = reasonPhrases[code];
  const message = phrase === undefined ? detail : detail === '' ? phrase : `${phrase}: ${detail}`;
  return { error: { code, message } };
}

function fromRefusal({ kind, detail, extras }: Refusal): Failure {
  const status = statuses[kind];
  const { error } = errorBody(status, detail);
  const { userMessage, userMessages, textPosition, reason, retryAfter, rateLimit, results, cause, faults } =
    extras;
  const { current } = extras;
  const body: ErrorBody = {
    error: {
      ...error,
      ...(userMessage === undefined ? {} : { i18n_error_message: userMessage }),
      ...(textPosition === undefined || userMessage === undefined ? {} : { error_message: userMessage }),
      ...(textPosition === undefined ? {} : { details: textPosition }),
      ...(reason === undefined ? {} : { details: { reason } }),
      ...(current === undefined ? {} : { details: current }),
      ...(userMessages === undefined ? {} : { i18n_error_messages: [...userMessages] }),
      ...(faults === undefined
        ? {}
        : { faults: faults.map(({ fieldId, text }) => ({ field_id: fieldId, text })) }),
    },
    ...(results === undefined ? {} : { results: [...results] }),
  };
  return { status, body, retryAfter, rateLimit, fault: cause };
}

/** What the HTTP framework says of an address that it cannot decode. */
const undecodable = /^'(.*)' is not a valid url component$/s;

/** What the HTTP framework throws while it reads a request. */
function fromFramework(error: Error & { statusCode: number }): Failure {
  const { statusCode: status } = error;
  const details: Readonly<Record<number, string>> = {
    413: 'The body is larger than this server takes.',
    415: 'Content type is not supported.',
  };
  const address = undecodable.exec(error.message)?.[1];
  const words =
    address && `The address ${address} cannot be read: "%" stands before two hexadecimal digits of UTF-8.`;
  return { status, body: errorBody(status, words ?? details[status] ?? error.message) };
}

/** What everybody is told who comes while the service stops. */
export const stopping = () => unavailable('The service is stopping.', { retryAfter: 5 });

const isFrameworkError = (error: unknown): error is Error & { statusCode: number } =>
  error instanceof Error &&
  'statusCode' in error &&
  typeof error.statusCode === 'number' &&
  error.statusCode < 500;

/** The machine has no more files, processes, memory or room for now. */
const shortages = ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ENOSPC', 'EDQUOT'];
const isShortage = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && shortages.includes(String(error.code));

const exhausted = ({ stack, message }: Error) =>
  unavailable('The service has not enough of what it needs for this at the moment.', {
    retryAfter: 5,
    cause: stack ?? message,
  });

/** The one place where a kind of error becomes a status. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Refusal) return fromRefusal(error);
  if (isShortage(error)) return fromRefusal(exhausted(error));
  if (error instanceof UnsupportedMediaType) return { status: 415, body: errorBody(415, error.message) };
  if (error instanceof NotAcceptable) return { status: 406, body: errorBody(406, error.message) };
  if (error instanceof ForeignPage) return { status: 403, body: errorBody(403, error.message) };
  if (error instanceof CutOff) return { status: 400, body: errorBody(400, 'The body was cut off.') };
  if (isFrameworkError(error)) return fromFramework(error);
  return { status: 500, body: errorBody(500), fault: error };
}
