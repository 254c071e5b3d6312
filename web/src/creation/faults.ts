import type { ApiError } from '@atelier/client';
import type { Tracker } from '@atelier/client/routes';

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** What the server refused, at the fields where it can be put right; what belongs to none is under null. */
export function faultsOf(error: ApiError, tracker: Tracker): ReadonlyMap<number | null, string> {
  const told = membersOf(membersOf(error.body)['error'])['faults'];
  const faults = Array.isArray(told) ? told.map(membersOf) : linesOf(error.message, tracker);
  const found = new Map<number | null, string>();
  for (const fault of faults) {
    const id = typeof fault['field_id'] === 'number' ? fault['field_id'] : null;
    const text = typeof fault['text'] === 'string' ? fault['text'] : error.message;
    found.set(id, [found.get(id), text].filter(Boolean).join(' '));
  }
  return found.size > 0 ? found : new Map([[null, error.message]]);
}

/** One line of the message for each fault, which names the field by its label. */
function linesOf(message: string, tracker: Tracker): Members[] {
  return message
    .split('\n')
    .map((line) => line.replace(/^(Bad Request: )?(error: )?/, '').trim())
    .filter((line) => line !== '')
    .map((text) => {
      const field = tracker.fields.find(
        ({ label }) => text.includes(`"${label}"`) || text.startsWith(`${label} `),
      );
      return { field_id: field?.field_id ?? null, text };
    });
}
