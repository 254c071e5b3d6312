import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type ExportMode, exportProject } from '../../archive/index.ts';
import { forbidden, notFound, unauthenticated } from '../../kernel/errors.ts';
import { isAnonymous, type Viewer } from '../../kernel/viewer.ts';
import { workFileName } from '../../kernel/work-files.ts';
import { countsAsAdministrator, type Project, readProject, shortnameKey } from '../../projects/index.ts';
import type { FlatHeaders } from '../headers.ts';
import { authenticate, errorPage, RootExchange, stopping } from '../pipeline/index.ts';
import type { Services } from '../services.ts';

/** Below this path lies every project as an archive. */
export const exportFolder = '/exports/project';

export const exportPath = (projectId: number, mode: ExportMode) =>
  `${exportFolder}/${projectId}.zip?mode=${mode}`;

const methods = 'OPTIONS, GET';
const notKept: FlatHeaders = ['Cache-Control', 'no-store'];

interface Target {
  readonly id: number;
  readonly mode: ExportMode;
}

function targetIn({ url = '' }: IncomingMessage): Target {
  const [, id, query] = /^\/exports\/project\/(\d{1,15})\.zip(?:\?(.*))?$/.exec(url) ?? [];
  if (id === undefined) throw notFound('There is no such project.');
  const mode = new URLSearchParams(query).get('mode') ?? 'structure';
  if (mode !== 'structure' && mode !== 'all') throw notFound('The mode must be structure or all.');
  return { id: Number(id), mode };
}

/** Administrators of a project get its structure; what people wrote is for those of the platform. */
async function requireExportable(
  { database }: Services,
  viewer: Viewer,
  { id, mode }: Target,
): Promise<Project> {
  if (isAnonymous(viewer)) throw unauthenticated('Exports are for administrators.');
  const { project } = await readProject(database, viewer, id);
  if (!countsAsAdministrator(viewer, project))
    throw forbidden('Only project administrators may export a project.');
  if (mode === 'all' && !viewer.isSiteAdmin)
    throw forbidden('Only site administrators may export all that is in a project.');
  return project;
}

/** An archive is complete before the first byte is sent, so that whoever has all bytes has a whole archive. */
async function give(
  services: Services,
  exchange: RootExchange,
  viewer: Viewer,
  target: Target,
): Promise<void> {
  const project = await requireExportable(services, viewer, target);
  const folder = join(services.config.dataFolder, 'exports');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, workFileName('.zip'));
  try {
    await exportProject(services, viewer, { projectId: project.id, mode: target.mode, path });
    const { size } = await stat(path);
    const name = `${shortnameKey(project.shortname)}.zip`;
    const own = [...notKept, 'Content-Type', 'application/zip', 'Content-Length', String(size)];
    const saved = ['Content-Disposition', `attachment; filename="${name}"`];
    await exchange.stream(200, [...own, ...saved], {
      async pour(take) {
        for await (const bytes of createReadStream(path)) await take(bytes);
      },
    });
  } finally {
    await rm(path, { force: true });
  }
}

async function run(services: Services, exchange: RootExchange): Promise<void> {
  const { method } = exchange.request;
  if (exchange.isStopping) throw stopping();
  if (method === 'OPTIONS') return exchange.answer(200, ['Allow', methods]);
  if (method !== 'GET')
    return exchange.answer(
      405,
      [...notKept, 'Allow', methods],
      errorPage(405, 'Exports can only be read here.'),
    );
  // Links lead here from anywhere; other sites cannot read the answer.
  const viewer = await authenticate(services, exchange.request, { fromAnyPage: true });
  exchange.requestLog.userId = viewer.userId;
  await give(services, exchange, viewer, targetIn(exchange.request));
}

/** Answers a request for a project as an archive. */
export async function answerExport(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const label = `${request.method} ${exportFolder}`;
  const exchange = new RootExchange(services, request, response, { headers: [], label });
  try {
    await run(services, exchange);
  } catch (error) {
    exchange.fail(error, notKept);
  }
}
