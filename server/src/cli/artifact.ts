import type { Command } from 'commander';
import type { Artifact } from '../artifacts/index.ts';
import { formatInstant, second } from '../kernel/clock.ts';
import { boundless } from '../kernel/room.ts';
import { type TrackerAddress, trackerAddress, trackerArgument, trackerIdOf } from './address.ts';
import { type CommandAnswer, listing } from './answer.ts';
import { declareCommand, onInstance, wholeNumber } from './command.ts';
import type { Instance } from './instance.ts';

interface ListOptions {
  readonly query?: string;
  readonly limit: number;
  readonly offset: number;
  readonly deleted?: boolean;
}

export function declare(group: Command): void {
  group.description('List artifacts, and bring deleted ones back.');
  declareCommand(
    group,
    'list',
    'List the artifacts of a tracker by their ids, all or those that a query finds.',
    'artifact list web-shop/bug',
    `artifact list web-shop/bug --query "status = 'Open' AND submitted_on > NOW() - 1w" --limit 20`,
    'artifact list web-shop/bug --deleted',
  )
    .argument(...trackerArgument, trackerAddress)
    .option('--query <text>', 'only those that it finds, in the query language')
    .option('--limit <number>', 'how many at the most', wholeNumber(1, 10_000), 100)
    .option('--offset <number>', 'how many to pass over', wholeNumber(0, Number.MAX_SAFE_INTEGER), 0)
    .option('--deleted', 'those that were deleted and can be brought back')
    .action(onInstance(listArtifacts));
  declareCommand(
    group,
    'restore',
    'Bring a deleted artifact back from its archive, with its history, files and links.',
    'artifact restore 3051',
  )
    .argument('<id>', 'the id that the artifact had', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(onInstance(restoreArtifact));
}

/** The label of the first value of the status; null where there is none. */
function statusOf({ view: { tracker }, document }: Artifact): string | null {
  const field = tracker.elementById.get(tracker.semantics.status?.fieldId ?? 0);
  const value = field && document[field.id];
  const id = Array.isArray(value) ? value[0] : undefined;
  const values = field?.bind?.kind === 'static' ? field.bind.values : [];
  return values.find((known) => known.id === id)?.label ?? null;
}

/** How much of a page is shown, where that is not everything. */
function withRest(
  answer: CommandAnswer,
  shown: number,
  { offset }: ListOptions,
  size: number,
): CommandAnswer {
  if (shown === 0 || (offset === 0 && shown === size)) return answer;
  const words = `${answer.words}\n${offset + 1} to ${offset + shown} of ${size}: see --limit and --offset.`;
  return { ...answer, words };
}

async function listArtifacts(
  instance: Instance,
  address: TrackerAddress,
  options: ListOptions,
): Promise<CommandAnswer> {
  const trackerId = await trackerIdOf(instance, address);
  return options.deleted
    ? listDeletedArtifacts(instance, trackerId, options)
    : listLiving(instance, trackerId, options);
}

async function listLiving(
  instance: Instance,
  trackerId: number,
  options: ListOptions,
): Promise<CommandAnswer> {
  const { Pieces, titleIn } = await import('../artifacts/index.ts');
  const { database, viewer, identity, config, platform } = instance;
  const { searches, trackers } = platform;
  const { query, limit, offset } = options;
  const { ids, size } = await searches.findArtifactPage(database, viewer, {
    trackerId,
    selection: query === undefined ? { criteria: null } : { query },
    isDescending: false,
    patience: config.searchSeconds * second,
    ...{ limit, offset },
  });
  const names = new Map<number, string>();
  const nameOfUser = async (id: number) => {
    if (!names.has(id)) names.set(id, (await identity.findAccount(database, id))?.name ?? '');
    return names.get(id) ?? '';
  };
  const pieces = new Pieces({ database, viewer, trackers, room: boundless }, ids);
  const found = [];
  for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next())
    for (const artifact of piece.artifacts)
      found.push({
        id: artifact.row.id,
        title: titleIn(artifact.view.tracker, artifact.document),
        status: statusOf(artifact),
        submitted_by: await nameOfUser(artifact.row.submitted_by),
        submitted_on: formatInstant(artifact.row.submitted_on),
        last_update_date: formatInstant(artifact.row.modified_on),
      });
  const rows = found.map((one) => [
    ...[one.id, one.status, one.submitted_by, one.submitted_on, one.last_update_date, one.title],
  ]);
  const headings = ['ID', 'STATUS', 'SUBMITTED BY', 'SUBMITTED', 'UPDATED', 'TITLE'];
  return withRest(listing(found, headings, rows, 'There are no artifacts.'), found.length, options, size);
}

async function listDeletedArtifacts(
  { database, viewer, platform: { trackers } }: Instance,
  trackerId: number,
  options: ListOptions,
): Promise<CommandAnswer> {
  const { listDeleted, readContextOf } = await import('../artifacts/index.ts');
  const { limit, offset } = options;
  const readContext = await readContextOf(database, viewer, trackers);
  const { items, size } = await listDeleted(readContext, { trackerId, limit, offset });
  const found = items.map(({ id, title, deletedOn }) => ({
    id,
    title,
    deleted_on: formatInstant(deletedOn),
  }));
  const rows = found.map((one) => [one.id, one.deleted_on, one.title]);
  const answer = listing(found, ['ID', 'DELETED', 'TITLE'], rows, 'There are no deleted artifacts.');
  return withRest(answer, found.length, options, size);
}

async function restoreArtifact({ openArchiveDeps, viewer }: Instance, id: number): Promise<CommandAnswer> {
  const { restoreFromArchive } = await import('../artifacts/index.ts');
  const { DeletedArtifacts } = await import('../archive/index.ts');
  const { database, operations, trackers, keeper, config } = openArchiveDeps();
  const archive = new DeletedArtifacts(database, trackers, keeper.blobs, config.dataFolder);
  await restoreFromArchive({ operations, archive, keeper }, viewer, id);
  return { data: { id, deleted: false }, words: `The artifact ${id} is back.` };
}
