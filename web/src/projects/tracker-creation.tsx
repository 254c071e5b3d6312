import { type ReactNode, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { useCommands, useProjectTrackers } from '../shell/index.ts';
import { useMembership, useStanding } from '../store/index.ts';
import { Button } from '../ui/index.ts';
import { NewTrackerDialog } from './new-tracker.tsx';

/** Whether one may make trackers and repositories in a project. */
export function useMayBuild(project: string): boolean {
  const { is_site_administrator: isSiteAdministrator } = useStanding();
  return useMembership(project)?.is_administrator === true || isSiteAdministrator;
}

/** The button that makes a tracker, for those who may; undefined for others. Its dialog is to be drawn beside it. */
export function useTrackerCreation(project: string): {
  readonly button: ReactNode;
  readonly dialog: ReactNode;
} {
  const { projects } = useMessages();
  const mayCreate = useMayBuild(project);
  const trackers = useProjectTrackers(project);
  const [isCreating, setCreating] = useState(false);
  useCommands(
    mayCreate
      ? [{ id: 'new-tracker', name: projects.newTracker.title, icon: 'plus', run: () => setCreating(true) }]
      : [],
  );
  const button = mayCreate ? (
    <Button icon="plus" onPress={() => setCreating(true)}>
      {projects.newTracker.title}
    </Button>
  ) : undefined;
  const dialog = isCreating && (
    <NewTrackerDialog project={project} trackers={trackers} onClose={() => setCreating(false)} />
  );
  return { button, dialog };
}
