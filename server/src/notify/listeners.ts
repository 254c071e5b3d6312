import type { ChangeListeners } from '../artifacts/index.ts';
import { type Reader, statement } from '../storage/index.ts';
import type { Tracker } from '../trackers/index.ts';

/** Levels of the notifications of a tracker. */
export const notificationLevel = { asUsual: 0, disabled: 1, statusOnly: 2 } as const;

const enabledHooks = statement((sql, _: Record<never, never>) =>
  sql.selectFrom('webhook').select(['project_id', 'tracker_id']).where('is_enabled', '=', 1),
);

interface HookedPlaces {
  readonly projects: ReadonlySet<number>;
  readonly trackers: ReadonlySet<number>;
}

/** Knows whether a change is worth a row in the outbox, without asking the database in every change. */
export class Listeners implements ChangeListeners {
  #sendsMail = false;
  #places: HookedPlaces | undefined;
  #revision: number | undefined;

  /** Called once by a thread of a service that sends mail. */
  expectMail(): void {
    this.#sendsMail = true;
  }

  wants({ readContext: { reader, revisions } }: Parameters<ChangeListeners['wants']>[0], tracker: Tracker) {
    if (this.#sendsMail && tracker.notificationLevel !== notificationLevel.disabled) return true;
    const known = this.#revision === revisions.structure ? this.#places : undefined;
    return known === undefined ? this.#look(reader, tracker, revisions.structure) : isIn(known, tracker);
  }

  async #look(reader: Reader, tracker: Tracker, structure: number): Promise<boolean> {
    const hooks = await reader.all(enabledHooks, {});
    const projects = hooks.filter(({ tracker_id }) => tracker_id === null);
    const places = {
      projects: new Set(projects.map(({ project_id }) => project_id)),
      trackers: new Set(hooks.flatMap(({ tracker_id }) => tracker_id ?? [])),
    };
    this.#places = places;
    this.#revision = structure;
    return isIn(places, tracker);
  }
}

const isIn = ({ projects, trackers }: HookedPlaces, { id, project }: Tracker) =>
  trackers.has(id) || projects.has(project.id);
