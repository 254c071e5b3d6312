import type { ProductApi } from '../product/api.ts';
import type { Scenario, ScenarioFamily } from '../scenario.ts';
import { projects } from './projects.ts';

const families: ScenarioFamily[] = [projects];

export function isWanted(name: string, only: string | undefined): boolean {
  return only === undefined || name.includes(only);
}

/** The families with a wanted scenario; throws when nothing goes by that name. */
export function wantedFamilies(only: string | undefined): ScenarioFamily[] {
  const wanted = families.filter((family) => family.scenarioNames.some((name) => isWanted(name, only)));
  if (wanted.length > 0) return wanted;
  const known = families.flatMap((family) => family.scenarioNames).join(', ');
  throw new Error(`No scenario is named like "${only}". There are: ${known}`);
}

export async function prepareScenarios(product: ProductApi, only: string | undefined): Promise<Scenario[]> {
  const prepared: Scenario[] = [];
  for (const family of wantedFamilies(only)) prepared.push(...(await family.prepare(product)));
  return prepared.filter((scenario) => isWanted(scenario.name, only));
}
