import * as contract from '@atelier/contract';
import { countOpenImports } from '../../../archive/index.ts';
import { type BackupRun, readBackupRun, startBackup } from '../../../backup/index.ts';
import { type Examined, type HealthFinding, RunningHealth } from '../../../health/index.ts';
import {
  findAccounts,
  listPlatformEvents,
  type PlatformEvent,
  requireSiteAdministrator,
} from '../../../identity/index.ts';
import { formatInstant, type Instant, parseInstant } from '../../../kernel/clock.ts';
import { invalidMember } from '../../../kernel/errors.ts';
import { version } from '../../../kernel/version.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import {
  findWaiting,
  listFailedMails,
  listPlatformDeliveries,
  type PlatformDelivery,
  sendTestMail,
} from '../../../notify/index.ts';
import type { PresentationContext } from '../../../present/index.ts';
import { bind, Json, pageOf, type RouteBinding } from '../../route.ts';
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

const presentFinding = ({
  about,
  state,
  says,
  code,
  facts,
  advice,
}: HealthFinding): Health['checks'][number] => ({
  name: about,
  state: state === 'problem' ? 'fault' : state,
  text: says,
  remedy: advice ?? '',
  code: code ?? '',
  facts: { ...facts },
});

function worstOf(checks: Health['checks']): Health['state'] {
  if (checks.some(({ state }) => state === 'fault')) return 'fault';
  return checks.some(({ state }) => state === 'warning') ? 'warning' : 'ok';
}

const aboutFailed = (count: number): HealthFinding => ({
  ...{ about: 'given-up mails', state: 'warning' },
  says: count === 1 ? 'One mail was given up.' : `${count} mails were given up.`,
  code: 'mails-given-up',
  facts: { count },
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
    file_bytes: examined.fileBytes,
    disk_free_bytes: examined.freeBytes,
    threads: config.httpThreads,
    memory_bytes: process.memoryUsage.rss(),
    queues: {
      outbox: waiting.events,
      mails: waiting.mails,
      webhooks: waiting.deliveries,
      text_index: examined.waitingTexts,
      imports: await countOpenImports(database),
    },
    failed_mails: failed,
    last_backup:
      lastBackup === undefined
        ? null
        : { made_on: formatInstant(lastBackup.madeAt), bytes: lastBackup.bytes, place: lastBackup.place },
  };
}

const eventText = (people: PresentationContext['people'], event: PlatformEvent) =>
  `{"id":${event.id},"date":"${formatInstant(event.at)}","kind":"${event.kind}"` +
  `,"subject":${JSON.stringify(event.subject)},"details":${JSON.stringify(event.details)}` +
  `,"address":${JSON.stringify(event.address)},"user":${people.minimal(event.by)}}`;

function momentIn(name: string, text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (instant === undefined) throw invalidMember(name, 'Expecting a date, ISO 8601.');
  return instant;
}

function platformEventBinding({ database, people }: Services): RouteBinding {
  return bind(contract.listPlatformEvents, async ({ viewer, query }) => {
    const { actor, kind, from, to, limit, offset } = query;
    const { items, size } = await listPlatformEvents(database, viewer, {
      ...{ actor, kind, limit, offset, from: momentIn('from', from), to: momentIn('to', to) },
    });
    const seen = people.seenBy(viewer, (await database.revisions()).identity);
    const write = () => items.map((event) => eventText(seen, event)).join(',');
    write();
    if (seen.isIncomplete) await seen.load((ids) => findAccounts(database, ids));
    return { body: new Json(`[${write()}]`), page: { ...query, size } };
  });
}

/** What runs, or ran last, with who started it. */
function runText(people: PresentationContext['people'], run: BackupRun): string {
  const { state, startedAt, startedBy, place, progress, endedAt, fault, outcome } = run;
  const facts: Omit<contract.BackupRun, 'started_by'> = {
    ...{
      state,
      started_on: formatInstant(startedAt),
      place,
      ...progress,
      ended_on: optional(endedAt),
      fault,
    },
    outcome: outcome && {
      ...{ files: outcome.files, bytes: outcome.bytes, copied_bytes: outcome.copied },
      ...{ missing: [...outcome.missing], faults: [...outcome.faults] },
    },
  };
  return `{"started_by":${people.minimal(startedBy)},${JSON.stringify(facts).slice(1)}`;
}

function backupBindings({ config, database, operations, people }: Services): RouteBinding[] {
  const present = async (viewer: Viewer) => {
    const run = await readBackupRun(config.dataFolder);
    const { backupFolder: folder = null, backupsKept: kept } = config;
    const seen = people.seenBy(viewer, (await database.revisions()).identity);
    const write = () => (run === undefined ? 'null' : runText(seen, run));
    write();
    if (seen.isIncomplete) await seen.load((ids) => findAccounts(database, ids));
    return { body: new Json(`{"folder":${JSON.stringify(folder)},"kept":${kept},"run":${write()}}`) };
  };
  return [
    bind(contract.getPlatformBackups, async ({ viewer }) => {
      requireSiteAdministrator(viewer);
      return present(viewer);
    }),
    bind(contract.startPlatformBackup, async ({ viewer }) => {
      requireSiteAdministrator(viewer);
      const { place } = await startBackup(config, viewer.userId);
      await operations.recordBackupStart(viewer, { place });
      return present(viewer);
    }),
  ];
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
    platformEventBinding(services),
    ...backupBindings(services),
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
