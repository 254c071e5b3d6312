/** Why an operation was refused. The kinds know nothing of HTTP; `http/errors.ts` maps each to a status. */
export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'gone'
  | 'locked'
  | 'precondition-failed'
  | 'too-large'
  | 'too-many'
  | 'unavailable';

/** How often somebody may do something, and how often they still may. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
}

/** What is wrong with a field; null: with the whole. */
export interface FieldFault {
  readonly fieldId: number | null;
  readonly text: string;
}

export interface RefusalExtras {
  /** Seconds after which trying again makes sense. */
  readonly retryAfter?: number;
  /** Words meant for the end user, given instead of the detail in `message`. */
  readonly userMessage?: string;
  readonly userMessages?: readonly string[];
  /** Why somebody who is known is let in nowhere, in a word for programs. */
  readonly reason?: 'password_expired' | 'account_unusable';
  /** Of something that somebody else changed first: as it is now, in the words of the API. */
  readonly current?: { readonly dashboard: unknown };
  /** Where in a text that was sent something is wrong, both counted from 1. */
  readonly textPosition?: { readonly line: number; readonly column: number };
  readonly rateLimit?: RateLimit;
  /** The field whose value is at fault. */
  readonly fieldId?: number;
  /** What a refusal for several things at once is made of. */
  readonly parts?: readonly RefusalData[];
  /** What is wrong with which field, where that is to be told one by one. */
  readonly faults?: readonly FieldFault[];
  /** What came of the parts that were dealt with before, as the answer would have told. */
  readonly results?: readonly unknown[];
  /** What the log should know and the caller should not. */
  readonly cause?: string;
}

/** The plain form in which a refusal travels between threads. */
export interface RefusalData {
  readonly kind: RefusalKind;
  readonly detail: string;
  readonly extras: RefusalExtras;
}

/** An expected "no": thrown where it is known, with the words for the person who asked. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly detail: string;
  readonly extras: RefusalExtras;

  constructor(kind: RefusalKind, detail = '', extras: RefusalExtras = {}) {
    super(detail === '' ? kind : detail);
    this.name = 'Refusal';
    this.kind = kind;
    this.detail = detail;
    this.extras = extras;
  }

  toData(): RefusalData {
    return { kind: this.kind, detail: this.detail, extras: this.extras };
  }

  static fromData({ kind, detail, extras }: RefusalData): Refusal {
    return new Refusal(kind, detail, extras);
  }
}

const joined = (lines: readonly (string | undefined)[]) =>
  lines.filter((line) => line !== undefined && line !== '').join('\n');

/** Refuses a request for all that is wrong with it, a line for each; does nothing when that is nothing. */
export function refuseTogether(faults: readonly Refusal[]): void {
  const [first, ...more] = faults;
  if (first === undefined) return;
  if (more.length === 0) throw first;
  const userMessage = joined(faults.map(({ extras }) => extras.userMessage));
  const parts = faults.map((fault) => fault.toData());
  const extras = userMessage === '' ? { parts } : { userMessage, parts };
  throw new Refusal('invalid', joined(faults.map(({ detail }) => detail)), extras);
}

/** Everything that a refusal is about. */
export const partsOf = (refusal: Refusal): readonly RefusalData[] =>
  refusal.extras.parts ?? [refusal.toData()];

/** As what the work refuses, with what is wrong told field by field. */
export async function tellingFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error;
    const faults = partsOf(error).map(({ detail, extras: { fieldId = null, userMessage } }) => ({
      fieldId,
      text: userMessage ?? detail,
    }));
    throw new Refusal('invalid', error.detail, { ...error.extras, faults });
  }
}

export const invalid = (detail: string) => new Refusal('invalid', detail);
export const invalidMember = (member: string, detail: string) =>
  new Refusal('invalid', `Invalid value specified for \`${member}\`. ${detail}`);
/** As `invalid`, with words that clients show to people as they are. */
export const invalidForUser = (userMessage: string) => new Refusal('invalid', '', { userMessage });
export const forbidden = (detail = '') => new Refusal('forbidden', detail);
export const notFound = (detail = '') => new Refusal('not-found', detail);
/** As `notFound`, with words that clients show to people as they are. */
export const notFoundForUser = (userMessage: string) => new Refusal('not-found', '', { userMessage });
export const unauthenticated = (detail = '') => new Refusal('unauthenticated', detail);
export const unavailable = (detail: string, extras: RefusalExtras = {}) =>
  new Refusal('unavailable', detail, extras);
export const tooMany = (detail: string, retryAfter?: number) =>
  new Refusal('too-many', detail, retryAfter === undefined ? {} : { retryAfter });
