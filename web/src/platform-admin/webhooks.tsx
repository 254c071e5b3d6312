import { useNavigate, useSearch } from '@tanstack/react-router';
import { useFormats, useMessages } from '../messages/index.ts';
import { AdminPart, Faint, Filters, Main, PagedPlace, Table } from '../project-admin/index.ts';
import { notify, tellFault } from '../shell/index.ts';
import { Button, MeaningChip, Segmented } from '../ui/index.ts';
import { type DeliveryState, sendAgain, useDeliveries } from './calls.ts';
import { useAdminRights } from './rights.ts';

const states: readonly DeliveryState[] = ['failed', 'waiting', 'delivered'];
const isState = (text: string | undefined): text is DeliveryState => states.some((state) => state === text);

/** What webhooks of all projects were told. */
export function Webhooks() {
  const { webhooks } = useMessages().platformAdmin;
  const formats = useFormats();
  const given = useSearch({ from: '/admin/$page' });
  const navigate = useNavigate();
  const { mayChange } = useAdminRights();
  const state = isState(given.status) ? given.status : undefined;
  const list = useDeliveries(state);
  return (
    <AdminPart title={webhooks.title} words={webhooks.words}>
      <Filters count={list.size === undefined ? undefined : webhooks.count(list.size)}>
        <Segmented
          label={webhooks.state}
          options={[
            { id: 'all', name: webhooks.all },
            ...states.map((id) => ({ id, name: webhooks.states[id] })),
          ]}
          value={state ?? 'all'}
          onChange={(id) =>
            void navigate({
              to: '/admin/$page',
              params: { page: 'webhooks' },
              search: { status: id === 'all' ? '' : id },
              replace: true,
            })
          }
        />
      </Filters>
      <PagedPlace list={list} icon="webhook" empty={webhooks.none} emptyWords={webhooks.noneWords}>
        {(items) => (
          <Table
            label={webhooks.title}
            columns={[webhooks.delivery, webhooks.project, webhooks.result, webhooks.when, '']}
          >
            {items.map((one) => (
              <tr key={one.id}>
                <td>
                  <Main second={one.host}>{one.event}</Main>
                </td>
                <td data-label={webhooks.project}>
                  <a href={`/projects/${one.project.id}/admin/webhooks`}>{one.project.label}</a>
                </td>
                <td data-label={webhooks.result}>
                  {one.state === 'failed' ? (
                    <MeaningChip meaning="bad">{webhooks.states.failed}</MeaningChip>
                  ) : (
                    <span>{webhooks.states[one.state]}</span>
                  )}{' '}
                  <Faint>
                    {one.status ?? ''} <span lang="en">{one.fault ?? ''}</span>
                  </Faint>
                </td>
                <td data-label={webhooks.when}>
                  <Faint>{formats.moment(one.tried_on ?? one.creation_date)}</Faint>
                </td>
                <td>
                  {mayChange && one.state !== 'waiting' && (
                    <Button
                      size="small"
                      aria-label={webhooks.againNamed(one.event, one.host)}
                      onPress={() =>
                        sendAgain(one).then(() => notify({ text: webhooks.isSentAgain }), tellFault)
                      }
                    >
                      {webhooks.again}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </PagedPlace>
    </AdminPart>
  );
}
