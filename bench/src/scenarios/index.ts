import { fileScenarios } from '../files/measure-files.ts';
import type { Options } from '../options.ts';
import type { ScenarioFamily } from '../scenario.ts';
import { artifacts } from './artifacts.ts';
import { projects } from './projects.ts';

export function isWanted(name: string, only: string | undefined): boolean {
  return only === undefined || name.includes(only);
}

/** Which scenarios with files are wanted: they measure rates of bytes, not of requests, and so stand apart. */
export const wantedFileScenarios = ({ only }: Pick<Options, 'only'>) =>
  fileScenarios.filter((name) => isWanted(name, only));

/** Not a load of requests: an archive that is imported, beside people who write. */
export const importScenario = 'import';

/** The families with a wanted scenario, those with the fewest artifacts first; throws when nothing goes by that name. */
export function wantedFamilies({
  only,
  artifacts: sizes,
}: Pick<Options, 'only' | 'artifacts'>): ScenarioFamily[] {
  const families = [projects, ...sizes.map((_, index) => artifacts(sizes, index))];
  const wanted = families.filter((family) => family.scenarioNames.some((name) => isWanted(name, only)));
  const others = [...fileScenarios, importScenario];
  if (wanted.length > 0 || others.some((name) => isWanted(name, only))) return wanted;
  const known = [...families.flatMap((family) => family.scenarioNames), ...others].join(', ');
  throw new Error(`No scenario is named like "${only}". There are: ${known}`);
}
