import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, refused, Store, submit } from '../fixtures/artifact.ts';
import { createProject } from '../fixtures/project.ts';
import { createFlow, type Flow, setActions, startWorkflow, type Transitions } from '../fixtures/workflow.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

interface Call {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

/** A build server that writes down what it is asked for. */
class BuildServer {
  readonly calls: Call[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', async (request: IncomingMessage, response) => {
      const body = Buffer.concat(await request.toArray()).toString('utf8');
      const { method, url, headers } = request;
      this.calls.push({ method, url, type: headers['content-type'], body });
      response.writeHead(302, { Location: '/elsewhere' }).end('x'.repeat(1000));
      server.emit('called');
    });
  }

  static async start(): Promise<BuildServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new BuildServer(server);
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Waits until there were this many calls. */
  async called(count: number): Promise<void> {
    while (this.calls.length < count) await once(this.#server, 'called');
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

const engines = oneEngine('PostgreSQL', 'calls of other hosts are made in code');

describe.each(engines)('jobs that workflows run on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let build: BuildServer;
  let alice: Person;
  let flow: Flow;
  let project: number;
  let made: Transitions;
  const run = (path: string) => ({ type: 'run_job', job_url: `http://${build.host}${path}` });

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    build = await BuildServer.start();
    alice = await atelier.createUser('alice');
    project = (await createProject(alice, 'built')).id;
    flow = await createFlow(alice, project);
    made = await startWorkflow(alice, flow, ['new Todo', 'Todo Doing', 'Doing Done']);
    await setActions(alice, made['Todo Doing']!, [run('/job/a'), run('/job/b/buildWithParameters?x=1')]);
    await setActions(alice, made['Doing Done']!, [run('/job/last')]);
  });
  afterAll(async () => {
    await store.close();
    await atelier.stop();
    await build.stop();
  });

  const waiting = async () => (await store.traces())['job_call'];

  test('are stored and shown, and call nobody while no host is allowed', async () => {
    const { body } = await alice.get(`/tracker_workflow_transitions/${made['Doing Done']}/actions`);
    expect(body).toEqual([{ id: expect.any(Number), ...run('/job/last') }]);
    for (const run_job_hosts of ['', '127.0.0.1', '127.0.0.1:9, ci.example.com']) {
      await atelier.configure({ run_job_hosts });
      const id = await submit(alice, flow.id, [flow.set('Todo')]);
      await change(alice, id, [flow.set('Doing')]);
      expect(await waiting()).toEqual([]);
    }
  });

  test('call an allowed host after the change, once, and follow no redirection', async () => {
    await atelier.configure({ run_job_hosts: `ci.example.com, ${build.host}` });
    const id = await submit(alice, flow.id, [flow.set('Todo')]);
    const send = () => alice.put(`/artifacts/${id}`, { values: [flow.set('Done')] });
    await refused(store, send, 400, /workflow/);
    await change(alice, id, [flow.set('Doing')]);
    await build.called(2);
    const urls = build.calls.map(({ url }) => url).sort();
    expect(urls).toEqual(['/job/a/build', '/job/b/buildWithParameters?x=1']);
    for (const { method, type, body } of build.calls) {
      expect([method, type]).toEqual(['POST', 'application/x-www-form-urlencoded']);
      expect(JSON.parse(new URLSearchParams(body).get('json') ?? '')).toEqual({
        parameter: [
          { name: 'userId', value: alice.id },
          { name: 'projectId', value: project },
          { name: 'artifactId', value: id },
          { name: 'trackerId', value: flow.id },
          { name: 'triggerFieldValue', value: 'Doing' },
        ],
      });
    }
    await change(alice, id, [flow.set('Done')]);
    await build.called(3);
    expect(build.calls.at(-1)?.url).toBe('/job/last/build');
    while ((await waiting())?.length !== 0) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(build.calls).toHaveLength(3);
  });

  test('that cannot be made hold up nobody, and wait for another try', async () => {
    await atelier.configure({ run_job_hosts: `127.0.0.1:9, ${build.host}` });
    const nobody = { type: 'run_job', job_url: 'http://127.0.0.1:9/job' };
    await setActions(alice, made['Doing Done']!, [nobody, run('/job/after')]);
    const id = await submit(alice, flow.id, [flow.set('Todo')]);
    await change(alice, id, [flow.set('Doing')]);
    await change(alice, id, [flow.set('Done')]);
    await build.called(6);
    const late = async () => (await waiting())?.filter((row) => /"attempts":1\b/.test(row)) ?? [];
    while ((await late()).length !== 1 || (await waiting())?.length !== 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await late()).toEqual([expect.stringContaining('127.0.0.1:9/job/build')]);
  });
});
