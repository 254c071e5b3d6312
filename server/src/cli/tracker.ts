import { type Command, InvalidArgumentError } from 'commander';
import type { Answer } from './answer.ts';
import { declareCommand, everything, onInstance } from './command.ts';
import { CommandFault } from './faults.ts';
import type { Instance } from './instance.ts';
import { projectNamed } from './project.ts';

/** `web-shop/bug`: the short names of a project and of a tracker in it. */
interface Address {
  readonly project: string;
  readonly itemName: string;
}

function addressOf(text: string): Address {
  const [, project, itemName] = /^([^/]+)\/([^/]+)$/.exec(text.trim()) ?? [];
  if (project === undefined || itemName === undefined)
    throw new InvalidArgumentError('Expecting the short names of a project and of a tracker: web-shop/bug.');
  return { project, itemName };
}

export function declare(group: Command): void {
  group.description('Delete trackers, and bring them back.');
  declareCommand(
    group,
    'delete',
    'Delete a tracker with all that is in it. `tracker restore` brings it back.',
    'tracker delete web-shop/bug',
  )
    .argument('<project/tracker>', 'short names of the project and of the tracker', addressOf)
    .action(onInstance(deleteTracker));
  declareCommand(
    group,
    'restore',
    'Bring a deleted tracker back as it was: of several that had the name, the last one that was deleted.',
    'tracker restore web-shop/bug',
    'tracker restore web-shop/bug --as old_bug',
  )
    .argument('<project/tracker>', 'short names of the project and of the tracker', addressOf)
    .option('--as <shortname>', 'another short name, when its own was taken meanwhile')
    .action(onInstance(restoreTracker));
}

const nameOf = ({ project, itemName }: Address) => `${project}/${itemName}`;

async function deleteTracker(instance: Instance, address: Address): Promise<Answer> {
  const { database, operations, viewer, trackers } = instance;
  const project = await projectNamed(instance, address.project);
  const id = await trackers.findTrackerNamed(database, project.id, address.itemName);
  if (id === undefined) throw new CommandFault(`There is no tracker ${nameOf(address)}.`);
  await operations.deleteTracker(viewer, { id });
  return { data: { id, deleted: true }, words: `The tracker ${nameOf(address)} was deleted.` };
}

async function restoreTracker(
  instance: Instance,
  address: Address,
  options: { readonly as?: string },
): Promise<Answer> {
  const { database, operations, viewer, trackers } = instance;
  const project = await projectNamed(instance, address.project);
  const deleted = await trackers.listDeletedTrackers(database, viewer, {
    projectId: project.id,
    ...everything,
  });
  const isMeant = (name: string) => name.toLowerCase() === address.itemName.toLowerCase();
  const id = deleted.items.find(({ tracker }) => isMeant(tracker.itemName))?.tracker.id;
  if (id === undefined) throw new CommandFault(`There is no deleted tracker ${nameOf(address)}.`);
  await operations.restoreTracker(viewer, { id, itemName: options.as });
  const name = nameOf({ ...address, itemName: options.as ?? address.itemName });
  return { data: { id, deleted: false }, words: `The tracker ${name} is back.` };
}
