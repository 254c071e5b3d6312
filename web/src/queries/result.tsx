import { useRef, useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import {
  againAfter,
  atMostOnceASecond,
  type FreshList,
  readListAgain,
  useList,
  useLive,
  useStanding,
  wordsOfError,
} from '../store/index.ts';
import { Button, EmptyPlace, ErrorPlace, Skeleton } from '../ui/index.ts';
import { type AskedQuery, contentSource, type QuerySource } from './calls.ts';
import styles from './queries.module.css';
import { ResultTable } from './table.tsx';

/** Streams take some thirty topics. */
const mostTopics = 20;

/** Reads what a query found again when something happens in one of one's projects. Rows that would move wait until somebody shows them. */
export function useFreshContent(source: QuerySource, mayMove: () => boolean): FreshList | undefined {
  const { memberships } = useStanding();
  const [fresh, setFresh] = useState<{ readonly of: string; readonly list: FreshList }>();
  const topics = memberships.slice(0, mostTopics).map(({ project }) => `projects/${project.id}` as const);
  useLive(topics, ({ event }) => {
    if (event !== 'artifact' && event !== 'reset') return;
    atMostOnceASecond(source.address, () => {
      readListAgain(source).then(
        (list) => {
          if (list.hasMoved && mayMove()) list.show();
          setFresh(list.hasMoved && !mayMove() ? { of: source.address, list } : undefined);
        },
        // What stands there stays; the next event, or somebody who asks again, tells what is wrong.
        () => undefined,
      );
    });
  });
  if (fresh?.of !== source.address) return undefined;
  return {
    ...fresh.list,
    show() {
      fresh.list.show();
      setFresh(undefined);
    },
  };
}

/** What columns are called without a look at their trackers. */
function useColumnName(): (name: string) => string {
  const { queries } = useMessages();
  const names: Readonly<Record<string, string>> = queries.names;
  return (name) => names[name] ?? name;
}

export interface QueryResultProps {
  /** A kept query by its id, or a text; `widgetId`: whose project `self` means. */
  readonly query: AskedQuery;
  /** For screen readers: what is listed. */
  readonly label: string;
}

/** What a query finds, in the width and height of the place that it is put into: for widgets. */
export function QueryResult({ query, label }: QueryResultProps) {
  const { queries } = useMessages();
  const formats = useFormats();
  const labelOf = useColumnName();
  const place = useRef<HTMLDivElement>(null);
  const source = contentSource(query);
  const list = useList(source);
  const fresh = useFreshContent(source, () => place.current?.matches(':hover') !== true);
  if (list.size === undefined && list.error !== null)
    return <ErrorPlace words={wordsOfError(list.error)} onRetry={againAfter(list.error, list.askAgain)} />;
  if (list.size === undefined) return <Skeleton lines={4} className={styles['pad'] ?? ''} />;
  if (list.size === 0) return <EmptyPlace icon="search" name={queries.nothing} />;
  return (
    <div ref={place} className={styles['result']}>
      <p className={styles['count']}>
        {queries.found(formats.number(list.size), list.size)}
        {fresh !== undefined && (
          <Button kind="quiet" size="small" onPress={fresh.show}>
            {queries.showNew}
          </Button>
        )}
      </p>
      <ResultTable source={source} label={label} labelOf={labelOf} />
    </div>
  );
}
