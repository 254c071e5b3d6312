/** Any answer that is not a success. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The body: an `ErrorBody` of the contract, unless something between here and the server answered instead. */
  readonly body: unknown;

  constructor(status: number, message: string, body: unknown) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The server's own words where it gave some. */
export function messageOf(body: unknown, status: number): string {
  const error = memberOf(body, 'error');
  const message = memberOf(error, 'message') ?? error;
  return typeof message === 'string' ? message : `The server answered with status ${status}.`;
}
