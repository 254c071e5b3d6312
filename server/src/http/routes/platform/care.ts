import * as contract from '@atelier/contract';
import { countOpenImports } from '../../../archive/index.ts';
import { type Examined, type HealthFinding, RunningHealth } from '../../../health/index.ts';
import { requireSiteAdministrator } from '../../../identity/index.ts';
import { formatInstant } from '../../../kernel/clock.ts';
import { version } from '../../../kernel/version.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import {
  findWaiting,
  listFailedMails,
  listPlatformDeliveries,
  type PlatformDelivery,
  sendTestMail,
} from '../../../notify/index.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

type Health = contract.PlatformHealth;

const optional = (instant: number | null) => (instant === null ? null : formatInstant(instant));

const presentDelivery = (delivery: PlatformDelivery): contract.PlatformDelivery => ({
  id: delivery.id,
  webhook_id: delivery.webhookId,
  project: { ...delivery.project, uri: `projects/${delivery.project.id}` },
  tracker_id: delivery.trackerId,
  host: delivery.host,
  event: delivery.event,
  state: delivery.state,
  attempts: delivery.attempts,
  status: delivery.status,
  fault: delivery.fault,
  creation_date: formatInstant(delivery.createdAt),
  tried_on: optional(delivery.triedAt),
  due_on: optional(delivery.dueAt),
});

const presentFinding = ({ about, state, says, advice }: HealthFinding): Health['checks'][number] => ({
  name: about,
  state: state === 'problem' ? 'fault' : state,
  text: says,
  remedy: advice ?? '',
});

function worstOf(checks: Health['checks']): Health['state'] {
  if (checks.some(({ state }) => state === 'fault')) return 'fault';
  return checks.some(({ state }) => state === 'warning') ? 'warning' : 'ok';
}

const aboutFailed = (count: number): HealthFinding => ({
  ...{ about: 'given-up mails', state: 'warning' },
  says: count === 1 ? 'One mail was given up.' : `${count} mails were given up.`,
  advice: 'See what the mail server said; try them anew, or forget them.',
});

/** When the process was started, whichever of its threads answers. */
const startedAt = () => Date.now() - process.uptime() * 1000;

async function presentHealth(
  { database, config }: Services,
  viewer: Viewer,
  examined: Examined,
): Promise<Health> {
  const waiting = await findWaiting(database);
  const { size: failed } = await listFailedMails(database, viewer, { limit: 1, offset: 0 });
  const { findings, lastBackup } = examined;
  const checks = [...findings, ...(failed === 0 ? [] : [aboutFailed(failed)])].map(presentFinding);
  return {
    state: worstOf(checks),
    checked_on: formatInstant(examined.at),
    checks,
    version,
    started_on: formatInstant(startedAt()),
    engine: examined.engine,
    database_bytes: examined.databaseBytes,
    disk_free_bytes: examined.freeBytes,
    threads: config.httpThreads,
    memory_bytes: process.memoryUsage.rss(),
    queues: {
      outbox: waiting.events,
      mails: waiting.mails,
      webhooks: waiting.deliveries,
      imports: await countOpenImports(database),
    },
    failed_mails: failed,
    last_backup:
      lastBackup === undefined
        ? null
        : { made_on: formatInstant(lastBackup.madeAt), bytes: lastBackup.bytes, place: lastBackup.place },
  };
}

export function platformCareBindings(services: Services): RouteBinding[] {
  const { config, database, publicUrl, svnDeps, web } = services;
  const health = new RunningHealth({
    config,
    database,
    svnParts: svnDeps.parts,
    webDigest: () => web.digest,
  });
  return [
    bind(contract.getPlatformHealth, async ({ viewer }) => {
      requireSiteAdministrator(viewer);
      return { body: await presentHealth(services, viewer, await health.look()) };
    }),
    bind(contract.sendTestMail, async ({ viewer, body }) => {
      const input = { address: body.address, place: config.mail, publicUrl };
      const { isAccepted, answer } = await sendTestMail(viewer, input);
      return { body: { accepted: isAccepted, answer } };
    }),
    bind(contract.listPlatformDeliveries, async ({ viewer, query }) =>
      pageOf(
        query,
        await listPlatformDeliveries(database, viewer, { ...query, state: query.state }),
        presentDelivery,
      ),
    ),
  ];
}
