import { useMessages } from '../messages/index.ts';
import { type Notification, useStanding } from '../store/index.ts';
import { Button, Menu, MenuItem, MenuSection } from '../ui/index.ts';
import { useGo } from './address.ts';
import { type InboxReason, type InboxWish, inboxReasons } from './calls.ts';

/** Projects that one can narrow to: one's own, and those of what is seen. */
function useProjects(entries: readonly Notification[]): ReadonlyMap<number, string> {
  const { memberships } = useStanding();
  return new Map([
    ...memberships.map(({ project }): [number, string] => [project.id, project.label_without_icon]),
    ...entries.map(({ artifact: { project } }): [number, string] => [project.id, project.label]),
  ]);
}

export function Filters({
  wish,
  entries,
}: {
  readonly wish: InboxWish;
  readonly entries: readonly Notification[];
}) {
  const { inbox } = useMessages();
  const go = useGo();
  const projects = useProjects(entries);
  const { reason, projectId } = wish;
  const reasonName = reason === undefined ? inbox.all : inbox.reasonNames[reason];
  const projectName = projectId === undefined ? inbox.all : (projects.get(projectId) ?? `#${projectId}`);
  return (
    <>
      <Menu
        aria-label={inbox.reason}
        placement="bottom end"
        trigger={
          <Button kind="quiet" size="small" aria-label={`${inbox.reason}: ${reasonName}`}>
            {inbox.reason} <b>{reasonName}</b>
          </Button>
        }
        onAction={(id) => go({ reason: id === 'all' ? undefined : String(id) })}
      >
        <MenuSection>
          <MenuItem id="all" isSet={reason === undefined}>
            {inbox.all}
          </MenuItem>
        </MenuSection>
        <MenuSection>
          {inboxReasons.map((id: InboxReason) => (
            <MenuItem key={id} id={id} isSet={id === reason}>
              {inbox.reasonNames[id]}
            </MenuItem>
          ))}
        </MenuSection>
      </Menu>
      <Menu
        aria-label={inbox.project}
        placement="bottom end"
        trigger={
          <Button kind="quiet" size="small" aria-label={`${inbox.project}: ${projectName}`}>
            {inbox.project} <b>{projectName}</b>
          </Button>
        }
        onAction={(id) => go({ project: id === 'all' ? undefined : String(id) })}
      >
        <MenuSection>
          <MenuItem id="all" isSet={projectId === undefined}>
            {inbox.all}
          </MenuItem>
        </MenuSection>
        <MenuSection>
          {[...projects].map(([id, name]) => (
            <MenuItem key={id} id={String(id)} isSet={id === projectId}>
              {name}
            </MenuItem>
          ))}
        </MenuSection>
      </Menu>
    </>
  );
}
