import { Fragment, type ReactNode, useMemo, useState } from 'react';
import { Link } from 'react-aria-components';
import { pageOf } from '../kernel/addresses.ts';
import { useMessages } from '../messages/index.ts';
import { Button, EmptyPlace, Icon, RelativeTime, SearchField } from '../ui/index.ts';
import { type SvnRevision, type User, useAuthors, useLog, useRendered } from './calls.ts';
import { SvnPlace, SvnWaiting, type Whereabouts } from './place.tsx';
import styles from './svn.module.css';
import { Author, subjectOf, Tools, useWays, Ways } from './tools.tsx';

export interface Reference {
  readonly text: string;
  readonly href: string;
}

/** Bytes of messages in which references are looked for at once. */
const longestAsked = 60_000;

/** References in all messages of a page, asked for at once. */
function useReferences(project: string, messages: readonly string[]): readonly Reference[] {
  const text = messages.join('\n').slice(0, longestAsked / 2);
  return useRendered(project, text === '' ? undefined : text, 'text').data?.references ?? [];
}

/** A text in which references are links. */
export function Linked({
  text,
  references,
}: {
  readonly text: string;
  readonly references: readonly Reference[];
}) {
  const parts: ReactNode[] = [];
  let rest = text;
  while (rest !== '') {
    const found = references
      .map((reference) => ({ reference, at: rest.indexOf(reference.text) }))
      .filter(({ at }) => at !== -1)
      .sort((one, other) => one.at - other.at || other.reference.text.length - one.reference.text.length)[0];
    if (found === undefined) break;
    const { reference, at } = found;
    parts.push(
      rest.slice(0, at),
      <Link
        key={parts.length}
        href={pageOf(window.location.origin, reference.href)}
        className={styles['reference'] ?? ''}
      >
        {reference.text}
      </Link>,
    );
    rest = rest.slice(at + reference.text.length);
  }
  return (
    <>
      {parts}
      {rest}
    </>
  );
}

function Row({
  where,
  revision,
  user,
  references,
}: {
  readonly where: Whereabouts;
  readonly revision: SvnRevision;
  readonly user: User | undefined;
  readonly references: readonly Reference[];
}) {
  const { svn } = useMessages();
  const { addresses } = where;
  const { revision: number, author, date, message, changes, is_partial: isPartial } = revision;
  const [isOpen, setOpen] = useState(false);
  const hasMore = message.trim().includes('\n');
  return (
    <li className={styles['logRow']}>
      <Link href={addresses.revision(number)} className={styles['logNumber'] ?? ''}>
        r{number}
      </Link>
      <div className={styles['logWords']}>
        <p className={styles['logSubject']}>
          {message === '' ? (
            <em>{isPartial ? svn.hiddenMessage : svn.noMessage}</em>
          ) : (
            <Linked text={isOpen ? message.trim() : subjectOf(message)} references={references} />
          )}
          {hasMore && (
            <Button
              kind="quiet"
              size="small"
              aria-expanded={isOpen}
              aria-label={svn.wholeMessage}
              onPress={() => setOpen(!isOpen)}
            >
              …
            </Button>
          )}
        </p>
        <p className={styles['logFacts']}>
          <Author name={author} user={user} size={16} />
          {date !== null && <RelativeTime at={date} />}
          <span>{svn.pathCount(changes.length)}</span>
          {isPartial && (
            <span>
              <Icon name="eye-off" size={13} /> {svn.partial}
            </span>
          )}
        </p>
      </div>
    </li>
  );
}

const has = ({ revision, author, message, changes }: SvnRevision, words: readonly string[]) => {
  const text = `r${revision} ${author} ${message} ${changes.map(({ path }) => path).join(' ')}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

/** `…/log/{path}`: revisions that changed something here, newest first. */
export function LogPage({ where, from }: { readonly where: Whereabouts; readonly from: number | undefined }) {
  const { svn } = useMessages();
  const { repository, path } = where;
  const { data, error, refetch, isFetching, fetchNextPage, hasNextPage } = useLog(repository.id, path, from);
  const [words, setWords] = useState('');
  const revisions = useMemo(() => data?.pages.flatMap((page) => page.revisions) ?? [], [data]);
  const authors = useAuthors(revisions.map(({ author }) => author));
  const references = useReferences(
    repository.project.uri,
    revisions.map(({ message }) => message),
  );
  const ways = useWays({ ...where, revision: from }, 'log', /\.[^/]*$/.test(path));
  if (data === undefined) return <SvnWaiting where={where} page="log" asked={{ error, refetch }} />;
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = revisions.filter((revision) => has(revision, wanted));
  return (
    <SvnPlace where={where} page="log" isAsking={isFetching}>
      <Tools>
        <SearchField
          placeholder={svn.searchLog}
          value={words}
          onChange={setWords}
          className={styles['search'] ?? ''}
        />
        <span className={styles['grow']} />
        <Ways label={svn.views} ways={ways} />
      </Tools>
      {revisions.length === 0 ? (
        <div className={styles['pad']}>
          <EmptyPlace icon="history" name={svn.noRevisions}>
            {svn.noRevisionsWords}
          </EmptyPlace>
        </div>
      ) : (
        <ol className={styles['log']} aria-label={svn.log}>
          {found.map((revision) => (
            <Fragment key={revision.revision}>
              <Row
                where={where}
                revision={revision}
                user={authors.get(revision.author)}
                references={references}
              />
            </Fragment>
          ))}
        </ol>
      )}
      {wanted.length > 0 && <p className={styles['pad']}>{svn.searched(found.length, revisions.length)}</p>}
      {hasNextPage && (
        <div className={styles['pad']}>
          <Button onPress={() => void fetchNextPage()}>{svn.olderRevisions}</Button>
        </div>
      )}
    </SvnPlace>
  );
}
