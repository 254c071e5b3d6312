import { type ReactNode, useState } from 'react';
import { Link } from 'react-aria-components';
import { useFormats, useMessages } from '../messages/index.ts';
import { personOf } from '../shell/index.ts';
import { Button, classes, Face, Menu, MenuItem } from '../ui/index.ts';
import type { SvnPageName } from './addresses.ts';
import { type SvnRevision, type User, useLastRevisions } from './calls.ts';
import type { Whereabouts } from './place.tsx';
import styles from './svn.module.css';

/** The first line of a message. */
export const subjectOf = (message: string): string => message.split('\n', 1)[0]?.trim() ?? '';

export function Author({
  name,
  user,
  size = 20,
  isBare = false,
}: {
  readonly name: string;
  readonly user: User | undefined;
  readonly size?: 16 | 20 | 24;
  readonly isBare?: boolean;
}) {
  const person = user === undefined ? { id: 0, name: name === '' ? '?' : name } : personOf(user);
  return (
    <span className={styles['author']}>
      <Face {...person} size={size} isNamed={isBare} />
      {!isBare && <span>{person.name}</span>}
    </span>
  );
}

/** Which revision is looked at; another one is chosen among the last that changed this path. */
export function RevisionPicker({
  where,
  page,
  shown,
}: {
  readonly where: Whereabouts;
  readonly page: SvnPageName;
  readonly shown: number | undefined;
}) {
  const { svn } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const { repository, addresses, path, revision } = where;
  return (
    <Menu
      isOpen={isOpen}
      onOpenChange={setOpen}
      search={svn.findRevision}
      trigger={
        <Button size="small" opens aria-label={svn.revisionShown(shown)}>
          {svn.at}{' '}
          <strong>{revision === undefined && shown === undefined ? '…' : `r${revision ?? shown}`}</strong>
        </Button>
      }
    >
      <RevisionEntries id={repository.id} path={path} chosen={revision}>
        {(one) => addresses.page(page, path, { rev: one?.revision })}
      </RevisionEntries>
    </Menu>
  );
}

function RevisionEntries({
  id,
  path,
  chosen,
  children,
}: {
  readonly id: number;
  readonly path: string;
  readonly chosen: number | undefined;
  children(revision: SvnRevision | undefined): string;
}) {
  const { svn } = useMessages();
  const formats = useFormats();
  const { data = [] } = useLastRevisions(id, path);
  return (
    <>
      <MenuItem href={children(undefined)} isSet={chosen === undefined}>
        {svn.newest}
      </MenuItem>
      {data.map((revision) => (
        <MenuItem
          key={revision.revision}
          href={children(revision)}
          isSet={chosen === revision.revision}
          second={revision.date === null ? undefined : formats.day(revision.date)}
        >
          {`r${revision.revision} ${subjectOf(revision.message)}`}
        </MenuItem>
      ))}
    </>
  );
}

export interface Way {
  readonly name: string;
  readonly to: string;
  readonly isCurrent?: boolean | undefined;
}

/** Pages that show the same path in another way. */
export function Ways({ label, ways }: { readonly label: string; readonly ways: readonly Way[] }) {
  return (
    <nav aria-label={label} className={styles['ways']}>
      {ways.map(({ name, to, isCurrent = false }) => (
        <Link
          key={to}
          href={to}
          className={classes(styles['way'], isCurrent && styles['current'])}
          {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

export function useWays(
  { addresses, path, revision }: Whereabouts,
  current: SvnPageName,
  isFile: boolean,
): Way[] {
  const { svn } = useMessages();
  const rev = { rev: revision };
  const way = (page: SvnPageName, name: string, query = rev) => ({
    name,
    to: addresses.page(page, path, query),
    isCurrent: page === current,
  });
  return [
    way(isFile ? 'file' : 'tree', isFile ? svn.code : svn.files),
    ...(isFile ? [way('blame', svn.blame)] : []),
    { name: svn.log, to: addresses.page('log', path, { from: revision }), isCurrent: current === 'log' },
    { name: svn.compare, to: addresses.page('compare', path), isCurrent: current === 'compare' },
  ];
}

/** The line below the bar: which revision, facts, and other ways to look at it. */
export function Tools({ children }: { readonly children: ReactNode }) {
  return <div className={styles['tools']}>{children}</div>;
}
