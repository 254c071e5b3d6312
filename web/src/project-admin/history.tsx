import type { Project } from '@atelier/client/routes';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useFormats, useMessages } from '../messages/index.ts';
import { personOf } from '../shell/index.ts';
import { Select } from '../ui/index.ts';
import { useHistory } from './calls.ts';
import { AdminPart, Difference, Faint, Filters, Main, PagedPlace, Table } from './parts.tsx';

/** Who did what in the project, the last first. */
export function History({ project }: { readonly project: Project }) {
  const { history } = useMessages().projectAdmin;
  const formats = useFormats();
  const { event } = useSearch({ from: '/projects/$name/admin/$page' });
  const navigate = useNavigate();
  const list = useHistory(project.uri, event);
  const choose = (chosen: string | null) =>
    void navigate({
      to: '/projects/$name/admin/$page',
      params: { name: project.shortname, page: 'history' },
      search: { event: chosen === null || chosen === 'all' ? '' : chosen },
      replace: true,
    });
  return (
    <AdminPart title={history.title} words={history.words}>
      <Filters count={list.size === undefined ? undefined : history.count(list.size)}>
        <Select
          aria-label={history.what}
          value={event ?? 'all'}
          onChange={choose}
          options={[
            { id: 'all', name: history.all },
            ...Object.entries(history.events).map(([id, name]) => ({ id, name })),
          ]}
        />
      </Filters>
      <PagedPlace list={list} icon="history" empty={history.none} emptyWords={history.noneWords}>
        {(items) => (
          <Table label={history.title} columns={[history.what, history.change, history.who, history.when]}>
            {items.map((entry) => (
              <tr key={`${entry.date} ${entry.event} ${entry.subject} ${entry.details?.after}`}>
                <td>
                  <Main second={history.subjects[entry.subject] ?? entry.subject}>
                    {history.events[entry.event] ?? entry.event}
                  </Main>
                </td>
                <td data-label={history.change}>
                  {entry.details !== null && <Difference details={entry.details} />}
                </td>
                <td data-label={history.who}>{personOf(entry.user).name}</td>
                <td data-label={history.when}>
                  <Faint>{formats.moment(entry.date)}</Faint>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </PagedPlace>
    </AdminPart>
  );
}
