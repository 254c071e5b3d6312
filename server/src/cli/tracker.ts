import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { formatInstant } from '../kernel/clock.ts';
import { textOf } from '../kernel/xml.ts';
import type { Project } from '../projects/index.ts';
import type { Tracker } from '../trackers/index.ts';
import {
  nameAtAddress,
  type TrackerAddress,
  trackerAddress,
  trackerArgument,
  trackerIdOf,
} from './address.ts';
import { type CommandAnswer, listing } from './answer.ts';
import { declareCommand, everything, nonEmpty, onInstance } from './command.ts';
import { CommandFault } from './faults.ts';
import type { Instance } from './instance.ts';
import { projectsToList } from './project.ts';
import { projectNamed } from './project-named.ts';

const modes = ['simple', 'advanced'] as const;
type Mode = (typeof modes)[number];

export function declare(group: Command): void {
  group.description(
    'List trackers, make them from files, delete them and bring them back, and switch the mode of their workflow.',
  );
  declareCommand(
    group,
    'list',
    'List the trackers of a project, or of all projects that are not deleted.',
    'tracker list web-shop',
    'tracker list web-shop --deleted',
    'tracker list --json',
  )
    .argument('[project]', 'short name of the project')
    .option('--deleted', 'those that were deleted and can be brought back')
    .action(onInstance(listTrackers));
  declareCommand(
    group,
    'create',
    'Make a tracker from an XML file that has one as archives of projects have it. Artifacts in it are left out.',
    'tracker create web-shop/bug --from bug.xml',
    'tracker create web-shop/defect --from bug.xml --label Defects',
  )
    .argument(...trackerArgument, trackerAddress)
    .requiredOption('--from <file>', 'the XML file, with tracker as its root', nonEmpty)
    .option('--label <text>', 'name that people see (that of the file)', nonEmpty)
    .option('--description <text>', 'what it is for (that of the file)')
    .action(onInstance(createTracker));
  declareCommand(
    group,
    'workflow',
    'Tell the workflow of a tracker, or switch its mode: in the simple one, all transitions to a state share ' +
      'their settings; the advanced one has settings for each transition, and no frozen fields and hidden fieldsets.',
    'tracker workflow web-shop/bug',
    'tracker workflow web-shop/bug --mode advanced',
  )
    .argument(...trackerArgument, trackerAddress)
    .addOption(
      new Option('--mode <mode>', 'switch to this mode; what it does not have is lost').choices(modes),
    )
    .action(onInstance(workflow));
  declareCommand(
    group,
    'delete',
    'Delete a tracker with all that is in it. `tracker restore` brings it back.',
    'tracker delete web-shop/bug',
  )
    .argument(...trackerArgument, trackerAddress)
    .action(onInstance(deleteTracker));
  declareCommand(
    group,
    'restore',
    'Bring a deleted tracker back as it was: of several that had the name, the last one that was deleted.',
    'tracker restore web-shop/bug',
    'tracker restore web-shop/bug --as old_bug',
  )
    .argument(...trackerArgument, trackerAddress)
    .option('--as <shortname>', 'another short name, when its own was taken meanwhile')
    .action(onInstance(restoreTracker));
}

const modeOf = ({ workflow }: Tracker): Mode | null =>
  workflow === undefined ? null : workflow.isAdvanced ? 'advanced' : 'simple';

async function trackersOf(instance: Instance, { id, shortname }: Project) {
  const { sizeForAll } = await import('../search/index.ts');
  const { database, viewer, trackers } = instance;
  const listed = { projectId: id, isForAdministrators: false, ...everything };
  const revisions = await database.revisions();
  const { items } = await trackers.listTrackers(database, viewer, listed, {
    trackers: instance.platform.trackers,
    revisions,
  });
  return Array.fromAsync(items, async (view) => ({
    id: view.tracker.id,
    project: shortname,
    item_name: view.tracker.itemName,
    label: view.tracker.name,
    artifacts: (await sizeForAll(database, view)) ?? 0,
    workflow_mode: modeOf(view.tracker),
  }));
}

async function deletedTrackersOf(instance: Instance, { id, shortname }: Project) {
  const { database, viewer, trackers } = instance;
  const { items } = await trackers.listDeletedTrackers(database, viewer, { projectId: id, ...everything });
  return items.map(({ tracker, deletedOn }) => ({
    id: tracker.id,
    project: shortname,
    item_name: tracker.itemName,
    label: tracker.name,
    deleted_on: formatInstant(deletedOn),
  }));
}

async function listTrackers(
  instance: Instance,
  name: string | undefined,
  options: { readonly deleted?: boolean },
): Promise<CommandAnswer> {
  const projects = await projectsToList(instance, name);
  const empty = options.deleted ? 'There are no deleted trackers.' : 'There are no trackers.';
  if (options.deleted) {
    const found = (await Array.fromAsync(projects, (project) => deletedTrackersOf(instance, project))).flat();
    const rows = found.map((one) => [one.id, one.project, one.item_name, one.deleted_on, one.label]);
    return listing(found, ['ID', 'PROJECT', 'SHORT NAME', 'DELETED', 'LABEL'], rows, empty);
  }
  const found = (await Array.fromAsync(projects, (project) => trackersOf(instance, project))).flat();
  const rows = found.map((one) => [
    ...[one.id, one.project, one.item_name, one.artifacts, one.workflow_mode, one.label],
  ]);
  return listing(found, ['ID', 'PROJECT', 'SHORT NAME', 'ARTIFACTS', 'WORKFLOW', 'LABEL'], rows, empty);
}

interface NewTrackerOptions {
  readonly from: string;
  readonly label?: string;
  readonly description?: string;
}

async function createTracker(
  instance: Instance,
  address: TrackerAddress,
  { from, label, description }: NewTrackerOptions,
): Promise<CommandAnswer> {
  const { readTrackerFile } = await import('../archive/index.ts');
  const { operations, viewer } = instance;
  const { id: projectId } = await projectNamed(instance, address.project);
  const element = await readTrackerFile(resolve(from));
  const tracker = {
    ...{ projectId, itemName: address.itemName, description },
    label: label ?? textOf(element, 'name').trim(),
  };
  const task = { tracker, element, file: basename(from) };
  const { id, warnings } = await operations.createTrackerFromTemplate(viewer, task);
  const lines = warnings.map(({ line, text }) => `  line ${line}: ${text}`);
  const words = [`The tracker ${nameAtAddress(address)} has the id ${id}.`, ...lines].join('\n');
  return { data: { id, warnings }, words };
}

function presentWorkflow({ id, itemName, workflow, elementById }: Tracker, mode: Mode) {
  return {
    tracker: { id, item_name: itemName },
    mode,
    is_used: workflow?.isUsed ?? false,
    field: elementById.get(workflow?.fieldId ?? 0)?.name ?? null,
    transitions: workflow?.transitions.length ?? 0,
  };
}

async function workflow(
  instance: Instance,
  address: TrackerAddress,
  options: { readonly mode?: Mode },
): Promise<CommandAnswer> {
  const { database, operations, viewer, trackers } = instance;
  const id = await trackerIdOf(instance, address);
  const before = await trackers.loadTracker(database, id);
  if (before?.workflow === undefined)
    throw new CommandFault(`The tracker ${nameAtAddress(address)} has no workflow.`);
  if (options.mode !== undefined)
    await operations.changeWorkflow(viewer, {
      id,
      input: { workflow: { is_advanced: options.mode === 'advanced' } },
    });
  const tracker = (await trackers.loadTracker(database, id)) ?? before;
  const mode = modeOf(tracker) ?? 'simple';
  const data = presentWorkflow(tracker, mode);
  if (options.mode !== undefined)
    return { data, words: `The workflow of ${nameAtAddress(address)} is in the ${mode} mode.` };
  const state = data.is_used ? 'in use' : 'not in use';
  const count = data.transitions === 1 ? '1 transition' : `${data.transitions} transitions`;
  return { data, words: `${nameAtAddress(address)}: ${mode} mode, ${state}, field ${data.field}, ${count}.` };
}

async function deleteTracker(instance: Instance, address: TrackerAddress): Promise<CommandAnswer> {
  const id = await trackerIdOf(instance, address);
  await instance.operations.deleteTracker(instance.viewer, { id });
  return { data: { id, deleted: true }, words: `The tracker ${nameAtAddress(address)} was deleted.` };
}

async function restoreTracker(
  instance: Instance,
  address: TrackerAddress,
  options: { readonly as?: string },
): Promise<CommandAnswer> {
  const { database, operations, viewer, trackers } = instance;
  const project = await projectNamed(instance, address.project);
  const deleted = await trackers.listDeletedTrackers(database, viewer, {
    projectId: project.id,
    ...everything,
  });
  const isMeant = (name: string) => name.toLowerCase() === address.itemName.toLowerCase();
  const id = deleted.items.find(({ tracker }) => isMeant(tracker.itemName))?.tracker.id;
  if (id === undefined) throw new CommandFault(`There is no deleted tracker ${nameAtAddress(address)}.`);
  await operations.restoreTracker(viewer, { id, itemName: options.as });
  const name = nameAtAddress({ ...address, itemName: options.as ?? address.itemName });
  return { data: { id, deleted: false }, words: `The tracker ${name} is back.` };
}
