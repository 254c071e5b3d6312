import { formatInstant } from './clock.ts';

/** The zone that a name stands for, or that of this process; undefined where Node knows none. */
function zoneOf(name?: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Why dates are not those of the zone that `TZ` names, which Node passes over in silence; undefined where they are. */
export function timeZoneFault(name: string | undefined): string | undefined {
  if (name === undefined || name.trim() === '') return undefined;
  const used = zoneOf();
  const isTaken = used !== undefined && (used !== 'UTC' || zoneOf(name) === 'UTC');
  if (isTaken) return undefined;
  const offset = formatInstant(Date.now()).slice(-6);
  return `TZ is "${name}", which is no name of a time zone, such as Europe/Paris: dates are written with the offset ${offset}.`;
}
