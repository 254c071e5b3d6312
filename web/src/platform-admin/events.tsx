import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMessages } from '../messages/index.ts';
import { AdminPart, Faint, Filters, Main, PagedPlace, Table } from '../project-admin/index.ts';
import { MeaningChip, Select } from '../ui/index.ts';
import { type SystemEvent, type TaskState, useSystemEvents } from './calls.ts';

const states: readonly TaskState[] = ['new', 'running', 'done', 'warning', 'error'];
const isState = (text: string | undefined): text is TaskState => states.some((state) => state === text);

const stateOf = ({ status }: SystemEvent): TaskState => {
  const text = status.toLowerCase();
  return isState(text) ? text : 'done';
};

function StateMark({ event }: { readonly event: SystemEvent }) {
  const { events } = useMessages().platformAdmin;
  const state = stateOf(event);
  const words = events.states[state];
  if (state === 'error') return <MeaningChip meaning="bad">{words}</MeaningChip>;
  if (state === 'warning') return <MeaningChip meaning="care">{words}</MeaningChip>;
  return <span>{words}</span>;
}

/** In words; a kind that has none goes by its name alone. */
function What({ event }: { readonly event: SystemEvent }) {
  const { kinds } = useMessages().platformAdmin.events;
  const name = event.type.split('\\').at(-1) ?? event.type;
  const words = kinds[name];
  if (words === undefined)
    return (
      <Main second={event.owner}>
        <span lang="en">{name}</span>
      </Main>
    );
  return <Main second={`${name} · ${event.owner}`}>{words}</Main>;
}

/** What the platform did in the background. */
export function Events() {
  const { events } = useMessages().platformAdmin;
  const given = useSearch({ from: '/admin/$page' });
  const navigate = useNavigate();
  const state = isState(given.status) ? given.status : undefined;
  const list = useSystemEvents(state);
  return (
    <AdminPart title={events.title} words={events.words}>
      <Filters count={list.size === undefined ? undefined : events.count(list.size)}>
        <Select
          aria-label={events.state}
          value={state ?? 'all'}
          onChange={(id) =>
            void navigate({
              to: '/admin/$page',
              params: { page: 'events' },
              search: { status: id === 'all' ? '' : (id ?? '') },
              replace: true,
            })
          }
          options={[
            { id: 'all', name: events.all },
            ...states.map((id) => ({ id, name: events.states[id] })),
          ]}
        />
      </Filters>
      <PagedPlace list={list} icon="history" empty={events.none} emptyWords={events.noneWords}>
        {(items) => (
          <Table label={events.title} columns={[events.what, events.state, events.log]}>
            {items.map((event) => (
              <tr key={event.id}>
                <td>
                  <What event={event} />
                </td>
                <td data-label={events.state}>
                  <StateMark event={event} />
                </td>
                <td data-label={events.log}>
                  <Faint>
                    <span lang="en">{event.log ?? ''}</span>
                  </Faint>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </PagedPlace>
    </AdminPart>
  );
}
