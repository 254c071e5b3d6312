import { drawingName, isSharedComputer } from './device.ts';
import { personSignal } from './person.ts';
import { queries } from './queries.ts';

/** Pages of which this device keeps how they looked, and the letters of one. */
const mostKept = 8;
const mostLetters = 150_000;

const listName = `${drawingName}s`;

/**
 * Keeps how a page looks, for `first.js` to show on the next visit. In a storage that answers at once: whoever draws before anything else
 * is loaded cannot wait. Like all that is kept it is of one person, and goes when they leave. `place`: the width and address of a window.
 */
export function keepDrawing(place: string, facts: object): void {
  const person = personSignal.get();
  // While something is asked for, what is seen may be of somebody before.
  if (person === undefined || isSharedComputer() || queries.isFetching() > 0) return;
  const text = JSON.stringify(facts);
  if (text.length > mostLetters) return;
  const name = `${drawingName} ${person} ${place}`;
  try {
    const before: unknown = JSON.parse(localStorage.getItem(listName) ?? '[]');
    const others = Array.isArray(before) ? before.filter((one) => one !== name) : [];
    const all = [name, ...others].slice(0, mostKept);
    for (const other of Object.keys(localStorage))
      if (other.startsWith(`${drawingName} `) && !all.includes(other)) localStorage.removeItem(other);
    localStorage.setItem(listName, JSON.stringify(all));
    localStorage.setItem(name, text);
  } catch {
    // The device has no room for it, or keeps nothing.
  }
}
