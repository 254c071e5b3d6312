/** What is known of an answer that is not a success. */
export interface Failure {
  readonly status: number;
  readonly message: string;
  readonly body: unknown;
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
}

/** Any answer that is not a success; each status that a caller can do something about has a class of its own below. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** The body: an `ErrorBody` of the contract, unless something between here and the server answered instead. */
  readonly body: unknown;
  /** Seconds after which the server asks to be called again, where it says so. */
  readonly retryAfter: number | undefined;
  /** What the log of the server calls the request. */
  readonly requestId: string | undefined;

  constructor({ status, message, body, retryAfter, requestId }: Failure) {
    super(message);
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }

  /** What the server tells beside its words: of a query, the line and column at which it stops being one. */
  get details(): unknown {
    return memberOf(memberOf(this.body, 'error'), 'details');
  }
}

/** 304: what `ifNoneMatch` names is still the version that there is. */
export class NotModifiedError extends ApiError {
  override readonly name = 'NotModifiedError';
}

/** 400: the message names what is wrong with the request. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}

/** 401: no credentials, or wrong ones. */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError';
}

/** 403: the credentials do not allow it. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError';
}

/** 404 and 410: it is not there, not there any more, or not for the caller to see. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 409: it is there already, or not in a state that allows it. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** 412: somebody changed it since the version that `ifMatch` names was read. */
export class PreconditionFailedError extends ApiError {
  override readonly name = 'PreconditionFailedError';
}

/** 413: more than the server takes. */
export class TooLargeError extends ApiError {
  override readonly name = 'TooLargeError';
}

/** 429: too often. `retryAfter` tells when to come again. */
export class TooManyRequestsError extends ApiError {
  override readonly name = 'TooManyRequestsError';
}

/** 500 and above: nothing is wrong with the request. With 503, `retryAfter` tells when to come again. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError';
}

/** 503: not at the moment. */
export class UnavailableError extends ServerError {
  override readonly name = 'UnavailableError';
}

const classes: Readonly<Record<number, typeof ApiError>> = {
  304: NotModifiedError,
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  412: PreconditionFailedError,
  413: TooLargeError,
  429: TooManyRequestsError,
  503: UnavailableError,
};

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The server's own words where it gave some: in JSON, or as the line of text that uploads are answered with. */
function messageOf(body: unknown, { status, headers }: Response): string {
  if (typeof body === 'string' && headers.get('Content-Type')?.startsWith('text/plain')) return body.trim();
  const error = memberOf(body, 'error');
  const message = memberOf(error, 'message') ?? error;
  return typeof message === 'string' ? message : `The server answered with status ${status}.`;
}

/** Retry-After is a number of seconds, or a date. */
function secondsOf(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

/** The error of an answer that is not a success. */
export function errorOf(response: Response, body: unknown): ApiError {
  const { status, headers } = response;
  const kind = classes[status] ?? (status >= 500 ? ServerError : ApiError);
  return new kind({
    status,
    message: messageOf(body, response),
    body,
    retryAfter: secondsOf(headers.get('Retry-After')),
    requestId: headers.get('X-Request-Id') ?? undefined,
  });
}
