import { viewFor } from '../../artifacts/index.ts';
import { mayAccess, readProjectAccess } from '../../projects/index.ts';
import { deliveriesOf } from '../new-deliveries.ts';
import type { EventHandler } from './handler.ts';
import { contextFor } from './readers.ts';

/** Told to webhooks that a project had before an archive was imported into it. */
export const projectImported: EventHandler<'project.imported'> = {
  async outcomeOf({ kind, projectId, importId, trackerIds, by }, deps) {
    const { database } = deps;
    const deliveries = await deliveriesOf(database, kind, [{ projectId }], async (owner) => {
      const readContext = await contextFor(owner, deps);
      const { project } = await readProjectAccess(database, owner, projectId);
      if (project === undefined || !mayAccess(owner, project)) return undefined;
      const showing = await deps.showing();
      const trackers: string[] = [];
      for (const id of trackerIds) {
        const view = await viewFor(readContext, id);
        if (view !== undefined) trackers.push(showing.tracker(view.tracker));
      }
      return {
        user: await showing.user(readContext, by),
        project: showing.project(project),
        import_id: String(importId),
        trackers: `[${trackers.join(',')}]`,
      };
    });
    return { mails: [], deliveries };
  },
};
