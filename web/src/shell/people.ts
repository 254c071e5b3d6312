import type { MinimalUser } from '@atelier/client/routes';
import { pathWithin } from '../kernel/addresses.ts';
import type { Person } from '../ui/index.ts';

/** Only pictures that somebody uploaded are shown; the others would say no more than the letters of a name. */
function pictureOf(address: string): string | undefined {
  return /\/avatar-[\w-]+\.png$/.test(address)
    ? pathWithin(window.location.origin, new URL(address, window.location.origin).pathname)
    : undefined;
}

/** A user of the API as controls know people. */
export function personOf({ id, real_name, display_name, avatar_url }: MinimalUser): Person {
  const name = real_name === null || real_name === '' ? display_name : real_name;
  return { id: id ?? 0, name, picture: pictureOf(avatar_url) };
}
