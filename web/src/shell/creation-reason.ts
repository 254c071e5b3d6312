import { useMessages } from '../messages/index.ts';
import { useStanding } from '../store/index.ts';
import { useKnownTrackers } from './calls.ts';
import { usePlace } from './place.ts';

/** Why nothing can be created here; undefined where something can, or as long as it is not known. */
export function useReasonNotToCreate(): string | undefined {
  const { shell } = useMessages();
  const { user, memberships } = useStanding();
  const { project } = usePlace();
  const trackers = useKnownTrackers(user === null ? undefined : (project ?? memberships[0]?.project.uri));
  if (user === null) return shell.signInToCreate;
  const isNowhere = project === undefined && memberships.length === 0;
  return isNowhere || trackers?.some(({ maySubmit }) => maySubmit) === false
    ? shell.nowhereToCreate
    : undefined;
}
