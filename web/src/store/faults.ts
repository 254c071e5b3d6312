import { ApiError } from '@atelier/client';

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** `Bad Request: Name is empty` without what everybody sees anyway. */
export const withoutPhrase = (message: string) => message.replace(/^[A-Z][A-Za-z ]+: /, '');

/** Asks again, unless the answer would be the same: what was asked for has to be put right first. */
export const againAfter = (error: unknown, ask: () => void): (() => void) | undefined =>
  error instanceof ApiError && error.status === 400 ? undefined : ask;

/** The server's words about what is wrong, all of them. */
export function wordsOfError(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const told = memberOf(memberOf(error.body, 'error'), 'i18n_error_messages');
  const all = Array.isArray(told) ? told.filter((text) => typeof text === 'string') : [];
  if (all.length > 0) return all.join(' ');
  // What is wrong with a query over several trackers is told there alone.
  const one = memberOf(memberOf(error.body, 'error'), 'i18n_error_message');
  return typeof one === 'string' && one !== '' ? one : withoutPhrase(error.message);
}
