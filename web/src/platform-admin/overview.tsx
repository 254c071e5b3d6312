import { useFormats, useMessages } from '../messages/index.ts';
import { AdminPart, Row, Section } from '../project-admin/index.ts';
import { WaitingPlace } from '../shell/index.ts';
import { EmptyPlace, LinkButton } from '../ui/index.ts';
import { useHealth, useProjects, useUserCount } from './calls.ts';
import { NeedsHand } from './health.tsx';

/** What needs a hand, and how large everything is. */
export function Overview() {
  const { overview } = useMessages().platformAdmin;
  const formats = useFormats();
  const asked = useHealth();
  const { data } = asked;
  const pending = useProjects('pending', '').size ?? 0;
  const active = useProjects('active', '').size;
  const users = useUserCount(true).data;
  if (data === undefined)
    return (
      <AdminPart title={overview.title}>
        <WaitingPlace asked={asked} lines={8} />
      </AdminPart>
    );
  const wrong = data.checks.filter(({ state }) => state !== 'ok');
  const backup = data.last_backup;
  return (
    <AdminPart title={overview.title} words={overview.words}>
      <Section name={overview.needs}>
        {pending > 0 && (
          <Row name={overview.pending(pending)} words={overview.pendingWords}>
            <LinkButton href="/admin/projects?status=pending">{overview.look}</LinkButton>
          </Row>
        )}
        {wrong.map((check) => (
          <NeedsHand key={`${check.name} ${check.text}`} check={check} />
        ))}
        {pending === 0 && wrong.length === 0 && <EmptyPlace icon="circle-check" name={overview.allWell} />}
      </Section>
      <Section name={overview.figures}>
        <Row name={overview.users}>
          {users !== undefined && <a href="/admin/users">{formats.number(users)}</a>}
        </Row>
        <Row name={overview.projects}>
          {active !== undefined && <a href="/admin/projects?status=active">{formats.number(active)}</a>}
        </Row>
        <Row name={overview.database} words={data.engine}>
          {formats.size(data.database_bytes)}
        </Row>
        <Row name={overview.free}>{formats.size(data.disk_free_bytes)}</Row>
        <Row name={overview.backup} words={backup === null ? overview.noBackup : backup.place}>
          {backup === null ? '' : `${formats.moment(backup.made_on)}, ${formats.size(backup.bytes)}`}
        </Row>
        <Row name={overview.waiting}>
          {overview.waitingWords(data.queues.mails, data.queues.webhooks, data.queues.imports)}
        </Row>
      </Section>
    </AdminPart>
  );
}
