import { deliveriesOf } from '../new-deliveries.ts';
import type { EventHandler } from './handler.ts';
import { contextFor, visibleArtifact } from './readers.ts';

export const artifactRestored: EventHandler<'artifact.restored'> = {
  async outcomeOf(event, deps) {
    const deliveries = await deliveriesOf(deps.database, event.kind, [event], async (owner) => {
      const readContext = await contextFor(owner, deps);
      const artifact = await visibleArtifact(readContext, event.artifactId);
      if (artifact === undefined) return undefined;
      const showing = await deps.showing();
      return {
        user: await showing.user(readContext, event.by),
        artifact: await showing.artifact(readContext, artifact),
      };
    });
    return { mails: [], deliveries };
  },
};
