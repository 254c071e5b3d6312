import type { Stream } from './load/load.ts';
import type { ScriptOrder } from './load/script.ts';
import { apiHeaders } from './product/api.ts';
import type { Scenario, ScenarioRequest, Traffic } from './scenario.ts';

const usualConnections = 32;

/** The load of a scenario on the product, or on a floor whose paths stand in for the product's. */
export function streamsOf(scenario: Scenario, traffic: Traffic, accessKey: string): Stream[] {
  const { connections = usualConnections, paceMs, beside } = scenario;
  const measured = { connections, paceMs, script: scriptOf(traffic, accessKey) };
  if (beside === undefined) return [measured];
  const script = scriptOf(beside.traffic, beside.accessKey ?? accessKey);
  return [measured, { connections: beside.connections ?? 1, script }];
}

function scriptOf(traffic: Traffic, accessKey: string): ScriptOrder {
  switch (traffic.kind) {
    case 'any':
      return { kind: 'any', requests: traffic.requests.map((request) => rawRequest(request, accessKey)) };
    case 'walk':
      return walkOf(traffic, accessKey);
    case 'edits':
      return editsOf(traffic, accessKey);
  }
}

function walkOf(traffic: Extract<Traffic, { kind: 'walk' }>, accessKey: string): ScriptOrder {
  const { path, first, count } = traffic;
  const headers = rawHeaders(apiHeaders(accessKey, undefined));
  return { kind: 'walk', before: `GET ${path}`, after: ` HTTP/1.1\r\n${headers}\r\n`, first, count };
}

function editsOf({ paths, bodies }: Extract<Traffic, { kind: 'edits' }>, accessKey: string): ScriptOrder {
  const headers = rawHeaders(apiHeaders(accessKey, 'json'));
  const things = paths.map((path) => ({
    read: rawRequest({ method: 'GET', path }, accessKey),
    write: `PUT ${path} HTTP/1.1\r\n${headers}If-Match: `,
  }));
  const endings = bodies.map((body) => `\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  return { kind: 'edits', things, endings };
}

export function rawRequest({ method, path, body }: ScenarioRequest, accessKey: string): string {
  const headers = apiHeaders(accessKey, body);
  if (body !== undefined) headers['Content-Length'] = String(Buffer.byteLength(body));
  return `${method} ${path} HTTP/1.1\r\n${rawHeaders(headers)}\r\n${body ?? ''}`;
}

function rawHeaders(headers: Record<string, string>): string {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers });
  return lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}
