import { formatInstant, type Instant } from '../../kernel/clock.ts';

/** The day of an instant in the server's zone. */
export const dayOf = (instant: Instant) => formatInstant(instant).slice(0, 10);

/** `YYYY-MM-DD`, with the time where the field has one. */
export const shortDate = (instant: Instant, withTime: boolean) =>
  formatInstant(instant)
    .slice(0, withTime ? 16 : 10)
    .replace('T', ' ');
