import { useNavigate } from '@tanstack/react-router';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import { Link, Button as PlainButton } from 'react-aria-components';
import { DueDay } from '../fields/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { useCommands } from '../shell/index.ts';
import { wordsOfError } from '../store/index.ts';
import {
  classes,
  EmptyDash,
  EmptyPlace,
  ErrorPlace,
  Icon,
  LinkButton,
  RelativeTime,
  Skeleton,
  TrackerMark,
  useSecondDraw,
} from '../ui/index.ts';
import { type AskedWork, useUnassigned, type WorkArtifact } from './calls.ts';
import { type Grouping, groupWork, type WorkGroup } from './groups.ts';
import styles from './home.module.css';
import { RowStatus } from './row-status.tsx';

/** The row at hand, and the one whose status is being chosen. */
interface Walk {
  readonly current: string | undefined;
  readonly choosing: string | undefined;
  goTo(uri: string): void;
  choose(uri: string | undefined): void;
}

const linkOf = (uri: string) => document.querySelector<HTMLElement>(`[data-uri="${CSS.escape(uri)}"]`);

/** j and k walk through the rows of all groups, Enter and o open the one at hand, s changes its status. */
function useWalk(groups: readonly WorkGroup[]): Walk {
  const { home } = useMessages();
  const navigate = useNavigate();
  const uris = groups.flatMap(({ artifacts }) => artifacts.map(({ uri }) => uri));
  const [current, goTo] = useState<string>();
  const [choosing, choose] = useState<string>();
  const go = (step: number) => {
    const index = current === undefined ? (step > 0 ? 0 : uris.length - 1) : uris.indexOf(current) + step;
    const next = uris[Math.max(0, Math.min(uris.length - 1, index))];
    if (next === undefined) return;
    goTo(next);
    linkOf(next)?.focus();
  };
  useCommands([
    { id: 'next-row', name: home.keys.next, keys: ['j', 'arrowdown'], isHidden: true, run: () => go(1) },
    {
      id: 'previous-row',
      name: home.keys.previous,
      keys: ['k', 'arrowup'],
      isHidden: true,
      run: () => go(-1),
    },
    {
      id: 'open-row',
      name: home.keys.open,
      keys: 'o',
      isHidden: true,
      run: () => {
        if (current !== undefined) void navigate({ to: `/${current}` });
      },
    },
    {
      id: 'row-status',
      name: home.keys.status,
      keys: 's',
      ...(current === undefined ? { reasonNot: home.keys.noRow } : {}),
      run: () => choose(current),
    },
  ]);
  return { current, choosing, goTo, choose };
}

interface WorkRowProps extends Pick<Walk, 'goTo' | 'choose'> {
  readonly artifact: WorkArtifact;
  readonly isCurrent: boolean;
  readonly isChoosing: boolean;
}

/** Of a thousand rows, a step to the next draws two anew. */
const WorkRow = memo(function WorkRow(props: WorkRowProps) {
  const { artifact, isCurrent, isChoosing, goTo, choose } = props;
  const { home } = useMessages();
  const { id, uri, title, due_date: due, last_modified_date: changed, isClosed = false } = artifact;
  return (
    <li
      className={classes(styles['row'], isCurrent && styles['current'], isClosed && styles['closed'])}
      onFocus={() => goTo(uri)}
    >
      <span className={styles['id']}>{id}</span>
      <Link href={`/${uri}`} className={styles['title'] ?? ''} data-uri={uri}>
        {title ?? home.untitled}
      </Link>
      <span className={styles['statusCell']}>
        <RowStatus
          artifact={artifact}
          isOpen={isChoosing}
          onOpenChange={(isOpen) => {
            choose(isOpen ? uri : undefined);
            if (isOpen) goTo(uri);
          }}
        />
      </span>
      <span className={styles['due']}>
        {due === null ? <EmptyDash /> : isClosed ? home.closed : <DueDay at={due} />}
      </span>
      <span className={styles['time']}>
        <RelativeTime at={changed} />
      </span>
    </li>
  );
});

interface GroupProps {
  readonly group: WorkGroup;
  readonly walk: Walk;
  /** Whether more of it may follow. */
  readonly isWhole: boolean;
  /** How many of its rows are drawn. */
  readonly drawn: number;
}

function Group({ group, walk, isWhole, drawn }: GroupProps) {
  const [isOpen, setOpen] = useState(true);
  const count = group.artifacts.filter(({ isClosed }) => isClosed !== true).length;
  return (
    <section aria-label={group.before === undefined ? group.name : `${group.before} / ${group.name}`}>
      <h2 className={styles['group']}>
        <PlainButton className={styles['fold'] ?? ''} aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
          {group.color !== undefined && <TrackerMark colour={group.color} />}
          <span>
            {group.before !== undefined && <span className={styles['before']}>{group.before} / </span>}
            {group.name}
          </span>
          {isWhole && <span className={styles['groupCount']}>{count}</span>}
        </PlainButton>
      </h2>
      {isOpen && (
        <ul>
          {group.artifacts.slice(0, drawn).map((artifact) => (
            <WorkRow
              key={artifact.id}
              artifact={artifact}
              isCurrent={walk.current === artifact.uri}
              isChoosing={walk.choosing === artifact.uri}
              goTo={walk.goTo}
              choose={walk.choose}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** What one could take up, where nothing is assigned. */
function Unassigned() {
  const { home } = useMessages();
  const formats = useFormats();
  const trackers = useUnassigned();
  if (trackers === undefined || trackers.length === 0) return null;
  return (
    <section className={styles['unassigned']} aria-label={home.unassigned}>
      <h2 className={styles['sectionName']}>{home.unassigned}</h2>
      <ul>
        {trackers.map(({ id, label, color, project, count, address }) => (
          <li key={id}>
            <Link href={address} className={styles['favourite'] ?? ''}>
              <TrackerMark colour={color} />
              <span>
                <span className={styles['before']}>{project} / </span>
                {label}
              </span>
              <span className={styles['groupCount']}>{formats.number(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Rows that are drawn before all others: more than a window shows. */
const drawnFirst = 60;

/** How many rows of each group are drawn. */
function drawnOf(groups: readonly WorkGroup[], most: number): number[] {
  let left = most;
  return groups.map(({ artifacts }) => {
    const drawn = Math.min(left, artifacts.length);
    left -= drawn;
    return drawn;
  });
}

export interface WorkListProps {
  readonly asked: AskedWork;
  readonly grouping: Grouping;
  /** What is said where there is nothing. */
  readonly nothing: { readonly name: string; readonly words: string; readonly offersUnassigned: boolean };
}

/** My artifacts under headings. */
export function WorkList({ asked, grouping, nothing }: WorkListProps) {
  const { home } = useMessages();
  const formats = useFormats();
  const { daysUntil } = formats;
  // Hundreds of rows that follow the first ones are drawn without keeping anybody from typing.
  const followed = useDeferredValue(asked.work);
  const work = followed ?? asked.work;
  const groups = useMemo(
    () => groupWork(work?.artifacts ?? [], { grouping, words: home, daysUntil }),
    [work, grouping, home, daysUntil],
  );
  const walk = useWalk(groups);
  // What a device keeps is whole at once.
  const drawn = drawnOf(groups, useSecondDraw() ? Number.POSITIVE_INFINITY : drawnFirst);
  const fault = asked.error !== null && (
    <div className={styles['pad']}>
      <ErrorPlace words={wordsOfError(asked.error)} onRetry={asked.askAgain} />
    </div>
  );
  if (work === undefined) return fault || <Skeleton lines={8} className={styles['pad'] ?? ''} />;
  if (work.artifacts.length === 0)
    return (
      <div className={styles['pad']}>
        <EmptyPlace
          icon="circle-check"
          name={nothing.name}
          actions={<LinkButton href="/projects">{home.lookAtProjects}</LinkButton>}
        >
          {nothing.words}
        </EmptyPlace>
        {nothing.offersUnassigned && <Unassigned />}
      </div>
    );
  const isCut = work.isWhole && work.artifacts.length < work.size;
  return (
    <>
      {groups.map((group, index) => (
        <Group key={group.id} group={group} walk={walk} isWhole={work.isWhole} drawn={drawn[index] ?? 0} />
      ))}
      {fault}
      {isCut && (
        <p className={classes(styles['pad'], styles['faint'])}>
          {home.firstOf(formats.number(work.artifacts.length), formats.number(work.size))}
        </p>
      )}
    </>
  );
}
