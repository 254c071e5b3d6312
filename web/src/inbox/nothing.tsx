import { useFormats, useMessages } from '../messages/index.ts';
import { useStanding } from '../store/index.ts';
import { Button, EmptyPlace, LinkButton } from '../ui/index.ts';
import { useGo } from './address.ts';
import type { InboxTab, InboxWish } from './calls.ts';

/** Why there is nothing here, and what would be. */
export function Nothing({ wish }: { readonly wish: InboxWish }) {
  const { inbox } = useMessages();
  const { memberships } = useStanding();
  const formats = useFormats();
  const go = useGo();
  const { tab, reason, projectId } = wish;
  const { empty } = inbox;
  if (reason !== undefined || projectId !== undefined) {
    const project = memberships.find(({ project: { id } }) => id === projectId)?.project.label_without_icon;
    const names = [
      ...(reason === undefined ? [] : [inbox.reasonNames[reason]]),
      ...(projectId === undefined ? [] : [project ?? `#${projectId}`]),
    ];
    return (
      <EmptyPlace
        icon="filter"
        name={empty.filtered}
        actions={<Button onPress={() => go({ reason: undefined, project: undefined })}>{empty.clear}</Button>}
      >
        {empty.filteredWords(formats.list(names))}
      </EmptyPlace>
    );
  }
  const words: Readonly<Record<InboxTab, string>> = {
    inbox: empty.inboxWords,
    unread: empty.unreadWords,
    snoozed: empty.snoozedWords,
    done: empty.doneWords,
  };
  return (
    <EmptyPlace
      icon={tab === 'snoozed' ? 'clock' : tab === 'done' ? 'check' : 'inbox'}
      name={empty[tab]}
      actions={
        tab === 'inbox' ? <LinkButton href="/account/notifications">{empty.wishes}</LinkButton> : undefined
      }
    >
      {words[tab]}
    </EmptyPlace>
  );
}
