import { InvalidArgumentError } from 'commander';
import { CommandFault } from './faults.ts';
import type { Instance } from './instance.ts';
import { projectNamed } from './project-named.ts';

/** `web-shop/bug`: the short names of a project and of a tracker in it. */
export interface TrackerAddress {
  readonly project: string;
  readonly itemName: string;
}

export function trackerAddress(text: string): TrackerAddress {
  const [, project, itemName] = /^([^/]+)\/([^/]+)$/.exec(text.trim()) ?? [];
  if (project === undefined || itemName === undefined)
    throw new InvalidArgumentError('Expecting the short names of a project and of a tracker: web-shop/bug.');
  return { project, itemName };
}

export const trackerArgument = [
  '<project/tracker>',
  'short names of the project and of the tracker',
] as const;

export const nameAtAddress = ({ project, itemName }: TrackerAddress) => `${project}/${itemName}`;

export async function trackerIdOf(instance: Instance, address: TrackerAddress): Promise<number> {
  const { database, trackers } = instance;
  const project = await projectNamed(instance, address.project);
  const id = await trackers.findTrackerNamed(database, project.id, address.itemName);
  if (id === undefined) throw new CommandFault(`There is no tracker ${nameAtAddress(address)}.`);
  return id;
}
