import type { EventListeners } from '../artifacts/index.ts';
import type { ArtifactEventKind } from '../kernel/events.ts';
import { type Reader, statement } from '../storage/index.ts';
import type { Tracker } from '../trackers/index.ts';

/** Levels of the notifications of a tracker. */
export const notificationLevel = { asUsual: 0, disabled: 1, statusOnly: 2 } as const;

const enabledHooks = statement((sql, _: Record<never, never>) =>
  sql.selectFrom('webhook').select(['project_id', 'tracker_id', 'events']).where('is_enabled', '=', 1),
);

/** Where webhooks listen to one kind of event. */
interface HookedPlaces {
  readonly projects: ReadonlySet<number>;
  readonly trackers: ReadonlySet<number>;
}

/** Kinds of which people are told, in their inbox whether or not there is mail. */
const told: readonly ArtifactEventKind[] = ['artifact.created', 'artifact.updated'];

/** Knows whether an event is worth a row in the outbox, without asking the database in every change. */
export class Listeners implements EventListeners {
  readonly #tellsPeople: boolean;
  #places: ReadonlyMap<string, HookedPlaces> = new Map();
  #revision: number | undefined;

  constructor(tellsPeople: boolean) {
    this.#tellsPeople = tellsPeople;
  }

  wants(
    { reader, revisions: { structure } }: Parameters<EventListeners['wants']>[0],
    kind: ArtifactEventKind,
    tracker: Tracker,
  ): boolean | Promise<boolean> {
    const isTold = this.#tellsPeople && tracker.notificationLevel !== notificationLevel.disabled;
    if (isTold && told.includes(kind)) return true;
    if (this.#revision === structure) return isIn(this.#places.get(kind), tracker);
    return this.#look(reader, structure).then((places) => isIn(places.get(kind), tracker));
  }

  async #look(reader: Reader, structure: number): Promise<ReadonlyMap<string, HookedPlaces>> {
    const hooks = await reader.all(enabledHooks, {});
    const listening = hooks.flatMap((hook) => hook.events.split(' ').map((event) => ({ ...hook, event })));
    const byEvent = [...Map.groupBy(listening, ({ event }) => event)].map(([event, some]) => {
      const ofProjects = some.filter(({ tracker_id }) => tracker_id === null);
      const projects = new Set(ofProjects.map(({ project_id }) => project_id));
      return [
        event,
        { projects, trackers: new Set(some.flatMap(({ tracker_id }) => tracker_id ?? [])) },
      ] as const;
    });
    const places = new Map(byEvent);
    this.#places = places;
    this.#revision = structure;
    return places;
  }
}

const isIn = (places: HookedPlaces | undefined, { id, project }: Tracker): boolean =>
  places !== undefined && (places.trackers.has(id) || places.projects.has(project.id));
