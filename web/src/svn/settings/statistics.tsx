import { useState } from 'react';
import { useFormats, useMessages } from '../../messages/index.ts';
import { personOf, WaitingPlace } from '../../shell/index.ts';
import { EmptyPlace, Select, SettingsPage } from '../../ui/index.ts';
import { type SvnRepository, type SvnStatistic, useStatistics } from '../calls.ts';
import styles from './settings.module.css';

const spans = [7, 30, 90, 365] as const;

type Counts = Pick<SvnStatistic, 'reads' | 'writes' | 'views'>;

/** Counts of the same day, or of the same person, together. */
function summed<Key>(statistics: readonly SvnStatistic[], keyOf: (one: SvnStatistic) => Key) {
  const sums = new Map<Key, Counts>();
  for (const one of statistics) {
    const { reads, writes, views } = sums.get(keyOf(one)) ?? { reads: 0, writes: 0, views: 0 };
    sums.set(keyOf(one), {
      ...{ reads: reads + one.reads, writes: writes + one.writes, views: views + one.views },
    });
  }
  return [...sums];
}

interface CountsTableProps {
  readonly name: string;
  readonly first: string;
  readonly rows: readonly (readonly [string, Counts])[];
}

function CountsTable({ name, first, rows }: CountsTableProps) {
  const { statistics: words } = useMessages().svn;
  const formats = useFormats();
  return (
    <section className={styles['section']} aria-label={name}>
      <h2 className={styles['sectionName']}>{name}</h2>
      <table className={styles['counts']} aria-label={name}>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <th scope="col">{words.reads}</th>
            <th scope="col">{words.writes}</th>
            <th scope="col">{words.views}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([row, { reads, writes, views }]) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              <td>{formats.number(reads)}</td>
              <td>{formats.number(writes)}</td>
              <td>{formats.number(views)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Counted({ statistics }: { readonly statistics: readonly SvnStatistic[] }) {
  const { statistics: words } = useMessages().svn;
  const formats = useFormats();
  if (statistics.length === 0)
    return (
      <EmptyPlace icon="chart-bar" name={words.none}>
        {words.noneWords}
      </EmptyPlace>
    );
  const people = new Map(statistics.map(({ user }) => [user.id, personOf(user).name]));
  const byPerson = summed(statistics, ({ user }) => user.id)
    .map(([id, counts]): [string, Counts] => [people.get(id) ?? '', counts])
    .sort(([, one], [, other]) => other.writes - one.writes || other.reads - one.reads);
  const byDay = summed(statistics, ({ date }) => date).map(([date, counts]): [string, Counts] => [
    formats.day(date),
    counts,
  ]);
  return (
    <>
      <CountsTable name={words.byPerson} first={words.person} rows={byPerson} />
      <CountsTable name={words.byDay} first={words.day} rows={byDay} />
    </>
  );
}

/** Who reads, writes and looks at the repository. */
export function Statistics({ repository }: { readonly repository: SvnRepository }) {
  const { svn } = useMessages();
  const [days, setDays] = useState<number>(30);
  const asked = useStatistics(repository.id, days);
  const { data } = asked;
  return (
    <SettingsPage title={svn.pages.statistics} words={svn.statistics.words}>
      <div className={styles['span']}>
        <Select
          aria-label={svn.statistics.span}
          value={String(days)}
          onChange={(id) => setDays(Number(id ?? 30))}
          options={spans.map((id) => ({ id: String(id), name: svn.statistics.lastDays(id) }))}
        />
      </div>
      <WaitingPlace asked={asked} lines={6} />
      {data !== undefined && <Counted statistics={data} />}
    </SettingsPage>
  );
}
