import type { Tracker } from '@atelier/client/routes';
import { useState } from 'react';
import { firstName, personOf, usePeople } from '../../fields/index.ts';
import { useFormats, useMessages } from '../../messages/index.ts';
import { Problem } from '../../shell/index.ts';
import { Face, Icon, Select, Skeleton } from '../../ui/index.ts';
import type { FieldSettings } from '../calls.ts';
import { type PermissionCheck, usePersonCheck } from './calls.ts';
import styles from './permissions.module.css';

interface PersonCheckProps {
  readonly tracker: Tracker;
  readonly elements: readonly FieldSettings[];
}

/** What one person sees and may do, as the server decides it. */
export function PersonCheck({ tracker, elements }: PersonCheckProps) {
  const { permissions: words } = useMessages().trackerAdmin;
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<{ readonly id: string; readonly name: string }>();
  const { people, isAsking } = usePeople(tracker.project.id, search, true);
  const options = people.map((person) => {
    const face = personOf(person);
    return {
      id: String(face.id),
      name: face.name,
      mark: <Face {...face} />,
      second: person.username ?? undefined,
    };
  });
  const { data, error, refetch } = usePersonCheck(
    tracker.id,
    chosen === undefined ? undefined : Number(chosen.id),
  );
  return (
    <aside className={styles['person']} aria-label={words.person}>
      <h2>{chosen === undefined ? words.person : words.personNamed(firstName(chosen.name))}</h2>
      <Select
        aria-label={words.choosePerson}
        placeholder={words.choosePerson}
        value={chosen?.id ?? null}
        onChange={(id) => setChosen(options.find((option) => option.id === id) ?? chosen)}
        options={options}
        known={chosen === undefined ? [] : [chosen]}
        isSearched
        searchWords={words.choosePerson}
        onSearch={setSearch}
        isLoading={isAsking}
      />
      {chosen !== undefined && data === undefined && error === null && <Skeleton lines={6} />}
      {chosen !== undefined && data === undefined && error !== null && (
        <Problem error={error} askAgain={() => void refetch()} />
      )}
      {data !== undefined && <Told check={data} elements={elements} />}
    </aside>
  );
}

function Told({
  check,
  elements,
}: {
  readonly check: PermissionCheck;
  readonly elements: readonly FieldSettings[];
}) {
  const { permissions: words } = useMessages().trackerAdmin;
  const formats = useFormats();
  const groups = check.groups.map(({ label }) => label);
  return (
    <>
      <p className={styles['second']}>{words.isIn(formats.list(groups))}</p>
      <h3>{words.partNames.tracker}</h3>
      <ul className={styles['told']}>
        <li>{check.may_view ? words.sees : words.doesNotSee}</li>
        <li>{check.may_submit ? words.submits : words.doesNotSubmit}</li>
        {check.is_administrator && <li>{words.administers}</li>}
      </ul>
      <h3>{words.partNames.fields}</h3>
      <ul className={styles['told']} aria-label={words.seenFields}>
        {check.fields.map((field) => (
          <li key={field.field_id}>
            <span>
              {elements.find(({ field_id: id }) => id === field.field_id)?.label}{' '}
              <span className={styles['second']}>
                {field.because.is_site_administrator
                  ? words.asSiteAdministrator
                  : field.because.groups.length > 0 &&
                    words.through(formats.list(field.because.groups.map(({ label }) => label)))}
              </span>
            </span>
            <span className={styles['toldRights']}>
              <RightWords field={field} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function RightWords({ field }: { readonly field: PermissionCheck['fields'][number] }) {
  const { permissions: words } = useMessages().trackerAdmin;
  const formats = useFormats();
  const held = (['read', 'submit', 'update'] as const).filter((right) => field[right]);
  if (held.length === 0) return <span className={styles['second']}>{words.nothing}</span>;
  return (
    <>
      <Icon name={field.update ? 'pencil' : field.submit ? 'plus' : 'eye'} size={14} />{' '}
      {held.length === 3 ? words.allThree : formats.list(held.map((right) => words.rights[right]))}
    </>
  );
}
