import { lastPerson } from './device.ts';
import { createSignal } from './signal.ts';

/** The id of whoever is signed in: until the server was asked, of who used this browser last. */
export const personSignal = createSignal<number | undefined>(
  typeof localStorage === 'undefined' ? undefined : lastPerson(),
);
