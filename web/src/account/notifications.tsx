import { type ReactNode, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { tellFault, WaitingPlace } from '../shell/index.ts';
import { artifactFacet, useAbout, useStanding, useThing, useTracker, wordsOfError } from '../store/index.ts';
import { Button, Checkbox, Select, SettingsPage, Switch, TrackerMark } from '../ui/index.ts';
import styles from './account.module.css';
import {
  changeMailWishes,
  changeNotificationWishes,
  hearAgain,
  type MutedSubject,
  muteTracker,
  type NotificationReason,
  useMailWishes,
  useMutedSubjects,
  useNotificationWishes,
  useOwnTrackers,
} from './calls.ts';

function Wishes(): ReactNode {
  const { notifications } = useMessages().account;
  const asked = useMailWishes();
  const { data } = asked;
  if (data === undefined) return <WaitingPlace asked={asked} lines={2} />;
  const change = (wish: { is_enabled?: boolean; includes_own_changes?: boolean }) =>
    changeMailWishes(wish).catch(tellFault);
  return (
    <div className={styles['switches']}>
      <Switch
        isSelected={data.is_enabled}
        onChange={(is) => change({ is_enabled: is })}
        help={notifications.mailHelp}
      >
        {notifications.mail}
      </Switch>
      <Switch
        isSelected={data.includes_own_changes}
        onChange={(is) => change({ includes_own_changes: is })}
        help={notifications.ownHelp}
      >
        {notifications.own}
      </Switch>
    </div>
  );
}

const reasons: readonly NotificationReason[] = [
  'mention',
  'assigned',
  'chosen',
  'commented',
  'submitted',
  'watching',
  'search',
];

const digests = ['none', 'daily', 'weekly'] as const;

/** For each reason, where one is told. */
function Reasons(): ReactNode {
  const { account, inbox } = useMessages();
  const { notifications: words } = account;
  const hasMail = useAbout()?.has_mail !== false;
  const asked = useNotificationWishes();
  const { data } = asked;
  if (data === undefined) return <WaitingPlace asked={asked} lines={6} />;
  return (
    <section className={styles['section']}>
      <h2 className={styles['sectionName']}>{words.reasons}</h2>
      <p className={styles['faint']}>{hasMail ? words.reasonsWords : words.noMail}</p>
      <table className={styles['reasons']}>
        <thead>
          <tr>
            <th scope="col">{inbox.reason}</th>
            <th scope="col">{words.inInbox}</th>
            <th scope="col">{words.byMail}</th>
          </tr>
        </thead>
        <tbody>
          {reasons.map((reason) => (
            <tr key={reason}>
              <th scope="row">{words.reasonNames[reason]}</th>
              {(['inbox', 'mail'] as const).map((place) => (
                <td key={place}>
                  <Checkbox
                    aria-label={`${words.reasonNames[reason]}: ${place === 'inbox' ? words.inInbox : words.byMail}`}
                    isSelected={data.reasons[reason][place]}
                    onChange={(is) =>
                      void changeNotificationWishes({ reason, wish: { [place]: is } }).catch(tellFault)
                    }
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles['below']}>
        <Select
          label={words.digest}
          help={words.digestHelp}
          value={data.digest}
          onChange={(id) => {
            const digest = digests.find((one) => one === id);
            if (digest !== undefined) void changeNotificationWishes({ digest }).catch(tellFault);
          }}
          options={digests.map((id) => ({ id, name: words.digests[id] }))}
        />
      </div>
    </section>
  );
}

/** What is muted by its name, as soon as that is known. */
function useNameOf({ kind, id, uri }: MutedSubject): string {
  const { notifications } = useMessages().account;
  const tracker = useTracker(kind === 'tracker' ? uri : undefined).thing;
  const artifact = useThing(kind === 'artifact' ? uri : undefined, artifactFacet).thing;
  if (tracker !== undefined) return `${tracker.project.label} / ${tracker.label}`;
  if (artifact !== undefined) return `${artifact.xref} ${artifact.title ?? ''}`;
  return `${notifications.kinds[kind]} #${id}`;
}

/** A tracker that is to be silent. */
function MuteTracker({ muted }: { readonly muted: readonly MutedSubject[] }) {
  const { notifications } = useMessages().account;
  const { memberships } = useStanding();
  // Somebody in hundreds of projects would wait for all of them, whatever they came for.
  const [isAsked, setAsked] = useState(false);
  const asked = useOwnTrackers(isAsked);
  const trackers = (asked.data ?? []).filter(({ id }) =>
    muted.every((subject) => subject.kind !== 'tracker' || subject.id !== id),
  );
  if (memberships.length === 0) return null;
  return (
    <Select
      label={notifications.muteTracker}
      placeholder={notifications.chooseTracker}
      isSearched
      isLoading={asked.isFetching}
      fault={asked.error === null ? null : wordsOfError(asked.error)}
      onOpenChange={(isOpen) => {
        if (!isOpen) return;
        setAsked(true);
        if (asked.isError) void asked.refetch();
      }}
      value={null}
      onChange={(id) => {
        if (id !== null) void muteTracker(Number(id)).catch(tellFault);
      }}
      options={trackers.map(({ id, label, color, project }) => ({
        id: String(id),
        name: label,
        section: project,
        mark: <TrackerMark colour={color} />,
      }))}
    />
  );
}

function MutedLine({ subject }: { readonly subject: MutedSubject }) {
  const { notifications } = useMessages().account;
  const name = useNameOf(subject);
  return (
    <li className={styles['row']}>
      <a href={`/${subject.uri}`} className={styles['main']}>
        {name}
      </a>
      <Button
        size="small"
        aria-label={notifications.hearAgainOf(name)}
        onPress={() => hearAgain(subject).catch(tellFault)}
      >
        {notifications.hearAgain}
      </Button>
    </li>
  );
}

/** What one is told of, where, and of what not. */
export function Notifications() {
  const { account } = useMessages();
  const { notifications } = account;
  const { data } = useMutedSubjects();
  return (
    <SettingsPage title={account.pages.notifications} words={notifications.words}>
      <Wishes />
      <Reasons />
      <section className={styles['section']}>
        <h2 className={styles['sectionName']}>
          {notifications.muted} {data !== undefined && <span>{data.length}</span>}
        </h2>
        <p className={styles['faint']}>
          {data?.length === 0 ? notifications.nothingMuted : notifications.mutedWords}
        </p>
        <ul>
          {data?.map((subject) => (
            <MutedLine key={subject.uri} subject={subject} />
          ))}
        </ul>
        <div className={styles['below']}>
          <MuteTracker muted={data ?? []} />
        </div>
      </section>
    </SettingsPage>
  );
}
