import type { Project } from '../projects/index.ts';
import { CommandFault } from './faults.ts';
import type { Instance } from './instance.ts';

export async function projectNamed(
  { database, viewer, projects }: Instance,
  shortname: string,
): Promise<Project> {
  const project = await projects.findProjectByShortname(database, viewer, shortname);
  if (project === undefined) throw new CommandFault(`There is no project ${shortname}.`);
  return project;
}
