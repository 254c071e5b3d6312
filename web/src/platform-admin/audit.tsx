import { useNavigate, useSearch } from '@tanstack/react-router';
import { csvText } from '../kernel/csv-text.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import {
  AdminPart,
  Difference,
  Faint,
  Filters,
  Main,
  PagedPlace,
  saveText,
  Table,
} from '../project-admin/index.ts';
import { notify, personOf, tellFault } from '../shell/index.ts';
import { Button, Select, TextField } from '../ui/index.ts';
import { type EventSearch, type PlatformEvent, readAllEvents, useEvents } from './calls.ts';

/** A spreadsheet is no place for more; whoever needs all of it asks the API. */
const mostExported = 50_000;

type Kind = PlatformEvent['kind'];

/** Who signed in, whose rights changed, what was deleted. */
export function Audit() {
  const { audit } = useMessages().platformAdmin;
  const formats = useFormats();
  const given = useSearch({ from: '/admin/$page' });
  const navigate = useNavigate();
  const kinds = Object.keys(audit.kinds) as Kind[];
  const search: EventSearch = {
    kind: kinds.find((kind) => kind === given.kind),
    actor: /^\d+$/.test(given.actor ?? '') ? Number(given.actor) : undefined,
    from: /^\d{4}-\d\d-\d\d$/.test(given.from ?? '') ? given.from : undefined,
  };
  const list = useEvents(search);
  const change = (next: Partial<Record<'kind' | 'actor' | 'from', string>>) =>
    void navigate({
      to: '/admin/$page',
      params: { page: 'audit' },
      search: { ...given, ...next },
      replace: true,
    });
  const onlyBy = (id: number) => {
    const others = Object.entries({ kind: search.kind ?? '', from: search.from ?? '' });
    const kept = others.filter(([, value]) => value !== '');
    return `/admin/audit?${new URLSearchParams([...kept, ['actor', String(id)]])}`;
  };
  const save = async () => {
    const { events, isAll } = await readAllEvents(search, mostExported);
    const rows = events.map((event) => [
      event.date,
      event.kind,
      event.user.username ?? '',
      event.subject,
      event.address,
      event.details?.before ?? '',
      event.details?.after ?? '',
    ]);
    saveText('audit.csv', 'text/csv;charset=utf-8', csvText([audit.csvHeads, ...rows]));
    if (!isAll) notify({ text: audit.onlyNewest(formats.number(mostExported)) });
  };
  const actor = list.items?.find(({ user }) => user.id === search.actor)?.user;
  return (
    <AdminPart
      title={audit.title}
      words={audit.words}
      actions={
        <Button icon="download" onPress={() => save().catch(tellFault)}>
          {audit.csv}
        </Button>
      }
    >
      <Filters
        count={list.size === undefined ? undefined : audit.count(list.size, formats.number(list.size))}
      >
        <Select
          aria-label={audit.what}
          value={search.kind ?? 'all'}
          onChange={(kind) => change({ kind: kind === 'all' ? '' : (kind ?? '') })}
          options={[
            { id: 'all', name: audit.all },
            ...Object.entries(audit.kinds).map(([id, name]) => ({ id, name })),
          ]}
        />
        <TextField
          aria-label={audit.from}
          type="date"
          value={search.from ?? ''}
          onChange={(from) => change({ from })}
        />
        {search.actor !== undefined && (
          <Button size="small" icon="x" onPress={() => change({ actor: '' })}>
            {audit.onlyBy(actor === undefined ? `#${search.actor}` : personOf(actor).name)}
          </Button>
        )}
      </Filters>
      <PagedPlace list={list} icon="history" empty={audit.none} emptyWords={audit.noneWords}>
        {(items) => (
          <Table label={audit.title} columns={[audit.what, audit.change, audit.who, audit.when]}>
            {items.map((event) => (
              <tr key={event.id}>
                <td>
                  <Main second={event.subject}>{audit.kinds[event.kind] ?? event.kind}</Main>
                </td>
                <td data-label={audit.change}>
                  {event.details !== null && <Difference details={event.details} />}
                  {event.address !== '' && <Faint>{event.address}</Faint>}
                </td>
                <td data-label={audit.who}>
                  {(event.user.id ?? 0) > 0 ? (
                    <a href={onlyBy(event.user.id ?? 0)} aria-label={audit.onlyBy(personOf(event.user).name)}>
                      {personOf(event.user).name}
                    </a>
                  ) : (
                    <Faint>{audit.nobody}</Faint>
                  )}
                </td>
                <td data-label={audit.when}>
                  <Faint>{formats.moment(event.date)}</Faint>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </PagedPlace>
    </AdminPart>
  );
}
