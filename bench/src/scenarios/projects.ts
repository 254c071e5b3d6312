import type { ProductApi } from '../product/api.ts';
import { type Scenario, type ScenarioFamily, threadModes } from '../scenario.ts';

const projectCount = 200;
const pageSize = 50;

export const projects: ScenarioFamily = {
  name: 'projects',
  scenarioNames: ['project-read', 'project-list'],
  async prepare({ api }) {
    const ids = await createProjects(api);
    return [readOne(ids), listPage()];
  },
};

async function createProjects(product: ProductApi): Promise<number[]> {
  const ids: number[] = [];
  for (let number = 1; number <= projectCount; number++) {
    ids.push(await product.create('/api/projects', newProject(number)));
  }
  return ids;
}

function newProject(number: number) {
  const digits = String(number).padStart(3, '0');
  return {
    shortname: `bench-${digits}`,
    label: `Bench ${digits}`,
    description: `Project ${digits} of the benchmark, with a description of an ordinary length for a project.`,
    is_public: true,
    xml_template_name: 'empty',
  };
}

function readOne(ids: number[]): Scenario {
  return {
    name: 'project-read',
    traffic: {
      kind: 'any',
      requests: ids.map((id) => ({ method: 'GET', path: `/api/projects/${id}` })),
    },
    floors: 'answers',
    threads: threadModes,
    targets: [{ kind: 'share', of: 'http+sqlite', least: 0.5 }],
  };
}

function listPage(): Scenario {
  const offsets = Array.from({ length: projectCount - pageSize + 1 }, (_, offset) => offset);
  return {
    name: 'project-list',
    traffic: {
      kind: 'any',
      requests: offsets.map((offset) => ({
        method: 'GET',
        path: `/api/projects?limit=${pageSize}&offset=${offset}`,
      })),
    },
    floors: 'answers',
  };
}
