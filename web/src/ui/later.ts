import { use } from 'react';

/** A part of the application that nobody needs to see a page. */
export interface Later<Module> {
  load(): Promise<Module>;
  /** In a component: suspends it until the part is there. */
  use(): Module;
  /** The same for what can wait until the first page is shown: before, it is not asked for. */
  usePatiently(): Module;
}

interface Part {
  readonly load: () => Promise<unknown>;
  /** Whether something in a page stands still until it is there. */
  isAwaited: boolean;
}

const all: Part[] = [];

/** Once a page is shown there is nothing any more that a part would hold up. */
let isPageShown = false;

let arriving = 0;

/** Whether a part is on its way: the page may stand still for it, and ask for nothing meanwhile. */
export const isArriving = () => arriving > 0;

/** A part that arrives when it is asked for, or when a page is shown and nothing else is to be done. */
export function later<Module>(importing: () => Promise<Module>): Later<Module> {
  let known: Module | undefined;
  let asked: Promise<Module> | undefined;
  const arrival = Promise.withResolvers<Module>();
  const begin = async (): Promise<Module> => {
    arriving++;
    try {
      known = await importing();
      arrival.resolve(known);
      return known;
    } catch (error) {
      // The next one who asks tries again.
      asked = undefined;
      throw error;
    } finally {
      arriving--;
    }
  };
  const load = () => {
    asked ??= begin();
    return asked;
  };
  const part: Part = { load, isAwaited: false };
  all.push(part);
  const patiently = () => {
    part.isAwaited = true;
    return isPageShown ? load() : arrival.promise;
  };
  return {
    load,
    use: () => known ?? use(load()),
    usePatiently: () => known ?? use(patiently()),
  };
}

// Not every browser has it.
declare global {
  interface Navigator {
    readonly connection?: { readonly saveData?: boolean };
  }
}

/** Whoever pays for each byte, and told their browser so, gets only what they use. */
const savesData = () => navigator.connection?.saveData === true;

/** Loads, one after the other, what pages will need as soon as somebody does something; what fails is asked for when it is needed. */
export async function loadTheRest(): Promise<void> {
  isPageShown = true;
  for (const { load, isAwaited } of all) if (isAwaited || !savesData()) await load().catch(() => undefined);
}
