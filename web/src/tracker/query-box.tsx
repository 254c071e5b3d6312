import type { Tracker } from '@atelier/client/routes';
import { useCallback, useMemo, useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import { announce } from '../shell/index.ts';
import { Button, IconButton, QueryEditor } from '../ui/index.ts';
import styles from './bar.module.css';
import { filtersOfQuery, joinedQueries, queryOfFilters, type Staying } from './chips-and-query.ts';
import { queryOptions, wrongParts } from './query-help.ts';
import type { View } from './view.ts';

export interface QueryBoxProps {
  readonly tracker: Tracker;
  readonly view: View;
  /** The words of the server about the query that was run last. */
  readonly fault: string | undefined;
  readonly autoFocus: boolean;
  readonly onChange: (view: Partial<View>) => void;
  readonly onClose: () => void;
}

/** A query beside the filters: both must hold. What the server says about it stands below, and the rows stay. */
export function QueryBox({ tracker, view, fault, autoFocus, onChange, onClose }: QueryBoxProps) {
  const messages = useMessages();
  const { tracker: words } = messages;
  const formats = useFormats();
  const [typed, setTyped] = useState(view.query);
  const [given, setGiven] = useState(view.query);
  // Somebody took another view, or let go of what was changed.
  if (given !== view.query) {
    setGiven(view.query);
    setTyped(view.query);
  }
  const check = useCallback(
    (text: string) => wrongParts(tracker, text, messages, (all) => formats.anyOf(all)),
    [tracker, messages, formats],
  );
  const complete = useCallback(
    (before: string, isAsked: boolean) => queryOptions(tracker, before, isAsked, messages),
    [tracker, messages],
  );
  const [staying, setStaying] = useState<readonly Staying[]>([]);
  const wrong = useMemo(() => check(typed), [check, typed]);
  // Whoever has not written the end yet is not told so at every key.
  const told = wrong.find(({ from, to }) => from < to)?.words;
  const isRun = typed === view.query;
  const run = () => onChange({ query: typed.trim() });
  const toQuery = () => {
    const { query, filters, staying: left } = queryOfFilters(tracker, view.filters);
    const whole = joinedQueries(query, typed);
    setStaying(left);
    setTyped(whole);
    onChange({ query: whole, filters });
    announce(
      left.length === 0 ? messages.queries.turnedIntoQuery : stayWords(left, messages.queries.staysFilter),
    );
  };
  const asFilters = useMemo(() => filtersOfQuery(tracker, typed, messages), [tracker, typed, messages]);
  const names = new Set(view.filters.map(({ name }) => name));
  const taken = asFilters.filters?.find(({ name }) => names.has(name));
  const notFilters =
    asFilters.why ?? (taken === undefined ? undefined : messages.queryFaults.twoFilters(taken.name));
  const toFilters = () => {
    if (asFilters.filters === undefined) return;
    onChange({ query: '', filters: [...view.filters, ...asFilters.filters] });
    setTyped('');
    setStaying([]);
    announce(messages.queries.turnedIntoFilters);
  };
  return (
    <div className={styles['query']}>
      <div className={styles['queryField']}>
        <QueryEditor
          label={words.queryLabel}
          placeholder={words.queryHelp}
          value={typed}
          onChange={setTyped}
          onRun={run}
          complete={complete}
          check={check}
          fault={isRun ? (fault ?? told) : told}
          autoFocus={autoFocus}
        />
        <div className={styles['turning']}>
          {view.filters.length > 0 && (
            <Button kind="quiet" size="small" icon="code" onPress={toQuery}>
              {messages.queries.turnIntoQuery}
            </Button>
          )}
          {typed.trim() !== '' && (
            <Button
              kind="quiet"
              size="small"
              icon="filter"
              reasonNot={notFilters ?? null}
              onPress={toFilters}
            >
              {messages.queries.turnIntoFilters}
            </Button>
          )}
          {typed.trim() !== '' && notFilters !== undefined && told === undefined && (
            <span className={styles['whyNot']}>{notFilters}</span>
          )}
          {staying.length > 0 && (
            <span className={styles['whyNot']}>{stayWords(staying, messages.queries.staysFilter)}</span>
          )}
        </div>
      </div>
      <Button size="medium" onPress={run}>
        {words.run}
      </Button>
      <IconButton icon="x" label={messages.queries.removeQuery} onPress={onClose} />
    </div>
  );
}

const stayWords = (staying: readonly Staying[], words: (label: string, why: string) => string) =>
  staying.map(({ label, why }) => words(label, why)).join(' ');
