import { openHome } from '../databases/open-home.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { provideDataset } from '../dataset/datasets.ts';
import { entriesOf } from '../dataset/draft.ts';
import { newDrafts } from '../dataset/new-drafts.ts';
import type { Figures } from '../load/load.ts';
import { runLoad } from '../load/run-load.ts';
import type { ScriptOrder } from '../load/script.ts';
import { machineFacts } from '../machine.ts';
import { Installation } from '../product/installation.ts';
import { writeResults } from '../report/results.ts';
import { writeSection } from '../report/sections.ts';
import { renderColumns } from '../report/table.ts';
import { rawRequest } from '../requests.ts';
import { workFolder } from '../work-folder.ts';
import { type PeersOptions, readPeersOptions } from './options.ts';

const connections = 32;
const warmUpSeconds = 3;
const bodyCount = 200;

/** What both are asked for: the same thing, in the words of each. */
interface Question {
  name: string;
  atelier: ScriptOrder;
  redmine: ScriptOrder;
  /** Writers of Redmine that meet on SQLite are answered with 500, so that only one can be measured. */
  redmineConnections?: number;
}

interface Answer {
  name: string;
  atelier: Figures;
  redmine: Figures;
}

export async function runPeersBench(args: string[]): Promise<void> {
  const options = readPeersOptions(args);
  await using folder = await workFolder(options.isKept);
  await using home = await openHome('SQLite', folder.path, undefined);
  const { name, dataset } = await provideDataset(home, options.artifacts, options.isKept);
  const place = await home.copy(name, `run_${process.pid}_peers`);
  const answers = await new Installation(place.folder, place.databaseUrl).use(
    'all',
    async ({ port, pid }) => {
      const found: Answer[] = [];
      for (const question of questionsOf(dataset, options)) {
        const ask = (at: number, script: ScriptOrder, clients: number, process?: number) =>
          runLoad({
            port: at,
            ...(process === undefined ? {} : { pid: process }),
            warmUpSeconds,
            seconds: options.seconds,
            streams: [{ connections: clients, script }],
          });
        const redmine = await ask(
          options.redmine.port,
          question.redmine,
          question.redmineConnections ?? connections,
        );
        const atelier = await ask(port, question.atelier, connections, pid);
        found.push({ name: question.name, atelier, redmine });
        console.error(`${question.name}: ${timesOf({ name: '', atelier, redmine }).toFixed(0)} times`);
      }
      return found;
    },
  );
  tell(answers, options);
}

function questionsOf(dataset: Dataset, { artifacts, redmine }: PeersOptions): Question[] {
  const { form, firstId, lastId } = dataset;
  const ours = (path: string, body?: string) =>
    rawRequest(
      { method: body === undefined ? 'GET' : 'POST', path, ...(body === undefined ? {} : { body }) },
      form.memberKey,
    );
  const theirs = (path: string, body?: string) => redmineRequest(redmine.key, path, body);
  const [before = '', after = ''] = ours('/api/artifacts/NUMBER').split('NUMBER');
  const [redmineBefore = '', redmineAfter = ''] = theirs('/issues/NUMBER.json').split('NUMBER');
  const query = encodeURIComponent(JSON.stringify({ status: form.values.status[0] }));
  const tracker = { id: form.trackerId };
  return [
    {
      name: 'read one',
      atelier: { kind: 'walk', before, after, first: firstId, count: lastId - firstId + 1 },
      redmine: { kind: 'walk', before: redmineBefore, after: redmineAfter, first: 1, count: artifacts },
    },
    {
      name: 'list of 50 with a status, with all values',
      atelier: {
        kind: 'any',
        requests: [ours(`/api/trackers/${form.trackerId}/artifacts?values=all&limit=50&query=${query}`)],
      },
      redmine: { kind: 'any', requests: [theirs('/issues.json?project_id=bench&status_id=1&limit=50')] },
    },
    {
      name: 'create one, durable',
      redmineConnections: 1,
      atelier: {
        kind: 'any',
        requests: newDrafts(dataset, bodyCount).map((draft) =>
          ours('/api/artifacts', JSON.stringify({ tracker, values: entriesOf(draft, form) })),
        ),
      },
      redmine: {
        kind: 'any',
        requests: newDrafts(dataset, bodyCount).map(({ title, description }) =>
          theirs(
            '/issues.json',
            JSON.stringify({
              issue: { project_id: 'bench', subject: title, description: description.content },
            }),
          ),
        ),
      },
    },
  ];
}

function redmineRequest(key: string, path: string, body: string | undefined): string {
  const headers = ['Host: 127.0.0.1', `X-Redmine-API-Key: ${key}`, 'Accept: application/json'];
  if (body !== undefined)
    headers.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

function tell(answers: Answer[], { artifacts, out }: PeersOptions): void {
  const machine = machineFacts();
  const table = renderColumns(
    answers,
    [['', ({ name }) => name]],
    [
      ['Redmine req/s', ({ redmine }) => redmine.requestsPerSecond.toFixed(1)],
      ['p50 ms', ({ redmine }) => redmine.p50Ms.toFixed(1)],
      ['Atelier req/s', ({ atelier }) => atelier.requestsPerSecond.toFixed(0)],
      ['p50 ms', ({ atelier }) => atelier.p50Ms.toFixed(1)],
      ['times', (answer) => timesOf(answer).toFixed(0)],
    ],
  );
  console.log(`\n${connections} clients, Node ${machine.node}, ${machine.cores} cores\n\n${table}\n`);
  if (out !== undefined) writeSection(out, 'Beside Redmine', sectionOf(answers, artifacts));
  console.log(`Results: ${writeResults({ machine, peers: answers })}`);
}

const timesOf = ({ atelier, redmine }: Answer) => atelier.requestsPerSecond / redmine.requestsPerSecond;

function sectionOf(answers: Answer[], artifacts: number): string {
  const rows = answers.map(
    ({ name, ...answer }) =>
      `| ${name} | ${answer.redmine.requestsPerSecond.toFixed(1)} | ${answer.atelier.requestsPerSecond.toFixed(0)} | ${timesOf({ name, ...answer }).toFixed(0)}× |`,
  );
  return [
    `Requests a second of ${connections} clients, in one run on one machine, with ${artifacts.toLocaleString('en').replaceAll(',', ' ')} issues or artifacts on SQLite: Redmine as Debian packages it,`,
    'by Puma with two workers (`bench/peers/redmine.sh`), and Atelier as it starts (`npm run bench -- peers`). Clients share the cores. Redmine creates for one client: with several, SQLite refuses it some.',
    '',
    '| | Redmine | Atelier | |',
    '|---|--:|--:|--:|',
    ...rows,
  ].join('\n');
}
