import { readSettings } from '../identity/index.ts';
import { invalid, invalidMember, notFound } from '../kernel/errors.ts';
import { type Page, type Slice, slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Tables, Transaction } from '../storage/index.ts';
import { toFlag } from '../storage/index.ts';
import { builtInServices } from './built-in-services.ts';
import { recordInHistory } from './history.ts';
import type { Project } from './model.ts';
import { requireAdministrator } from './policy.ts';
import { requireProject, requireProjectForWriting } from './require-access.ts';
import { lockProject } from './store.ts';

/** A tool of a project, or a link that the project put into its menu. */
export interface Service {
  readonly id: number;
  /** Short name; empty for links of the project's own. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly url: string;
  readonly icon: string;
  readonly isEnabled: boolean;
  readonly isCustom: boolean;
  /** A tool of another platform, which an archive brought: it is kept as it was, and is nothing here. */
  readonly isForeign: boolean;
  readonly opensInNewTab: boolean;
}

const administrationService = 'admin';
const rankStep = 10;
const longest = { label: 40, url: 2000, icon: 100, description: 1000 };

type ServiceRow = Omit<Tables['service'], 'id'> & { id: number };

/** Labels and addresses of the tools follow the product and the project's name, so they are not stored. */
function toService(row: ServiceRow, project: Pick<Project, 'id' | 'shortname'>): Service {
  const tool = row.is_custom ? undefined : builtInServices.get(row.name);
  const isForeign = !row.is_custom && tool === undefined;
  return {
    id: row.id,
    name: row.name,
    label: tool?.label ?? (isForeign ? row.name : row.label),
    description: tool?.description ?? row.description,
    url: tool?.url(project) ?? row.url,
    icon: tool?.icon ?? row.icon,
    isEnabled: row.is_enabled === 1,
    isCustom: row.is_custom === 1,
    isForeign,
    opensInNewTab: row.opens_in_new_tab === 1,
  };
}

async function disabledServices(reader: Reader): Promise<ReadonlySet<string>> {
  const { disabled_services } = await readSettings(reader);
  return new Set(disabled_services.split(',').map((name) => name.trim()));
}

const servicesOf = (reader: Reader, projectId: number) =>
  reader.all(
    reader.sql
      .selectFrom('service')
      .selectAll()
      .where('project_id', '=', projectId)
      .orderBy('rank')
      .orderBy('id'),
  );

/** All services of a project that the viewer may know of; those the platform switched off only administrators. */
export async function visibleServices(reader: Reader, viewer: Viewer, project: Project): Promise<Service[]> {
  const disabled = viewer.isSiteAdmin ? new Set<string>() : await disabledServices(reader);
  const rows = await servicesOf(reader, project.id);
  return rows
    .filter(({ name, is_custom }) => is_custom === 1 || !disabled.has(name))
    .map((row) => toService(row, project));
}

/** All services of a project, whatever the platform made of them. */
export async function allServices(reader: Reader, project: Project): Promise<Service[]> {
  return (await servicesOf(reader, project.id)).map((row) => toService(row, project));
}

/** Whether a project has one of its tools switched on, on a platform that has it. */
export async function usesService(reader: Reader, projectId: number, name: string): Promise<boolean> {
  const query = reader.sql.selectFrom('service').select('id').where('project_id', '=', projectId);
  const own = query.where('name', '=', name).where('is_custom', '=', 0).where('is_enabled', '=', 1);
  return (await reader.first(own)) !== undefined && !(await disabledServices(reader)).has(name);
}

export async function listServices(
  reader: Reader,
  viewer: Viewer,
  { projectId, ...page }: { projectId: number } & Page,
): Promise<Slice<Service>> {
  const project = await requireProject(reader, viewer, projectId, 'project');
  return slice(await visibleServices(reader, viewer, project), page);
}

/** One of them. */
export async function readService(
  reader: Reader,
  viewer: Viewer,
  { id }: { readonly id: number },
): Promise<Service> {
  const query = reader.sql.selectFrom('service').select('project_id').where('id', '=', id);
  const row = await reader.first(query);
  const project = row && (await requireProject(reader, viewer, row.project_id, 'project'));
  const services = project === undefined ? [] : await visibleServices(reader, viewer, project);
  const service = services.find((own) => own.id === id);
  if (service === undefined) throw notFound('There is no such service.');
  return service;
}

/** Services of a new project that no template project gives. */
export async function insertDefaultServices(tx: Transaction, project_id: number): Promise<void> {
  let rank = 0;
  for (const name of builtInServices.keys()) {
    rank += rankStep;
    const texts = { label: '', description: '', url: '', icon: '' };
    const flags = { is_enabled: 1, is_custom: 0, opens_in_new_tab: 0 } as const;
    await tx.run(tx.sql.insertInto('service').values({ project_id, name, rank, ...texts, ...flags }));
  }
}

/** A tool as an archive tells of it, or a link of the project's own where there is a label. */
export interface ImportedService {
  /** Empty for links. */
  readonly name: string;
  readonly isEnabled: boolean;
  readonly link?: Pick<Service, 'label' | 'description' | 'url' | 'opensInNewTab'> | undefined;
}

export const isServiceName = (name: string) => builtInServices.has(name);

/** Without these a project cannot be used. */
const alwaysOn: readonly string[] = ['summary', administrationService];

const noTexts = { label: '', description: '', url: '', icon: '' };

/** A tool; one of another platform is kept as well. */
async function insertTool(
  tx: Transaction,
  row: Pick<ServiceRow, 'project_id' | 'name' | 'rank' | 'is_enabled'>,
): Promise<void> {
  const flags = { is_custom: 0, opens_in_new_tab: 0 } as const;
  await tx.run(tx.sql.insertInto('service').values({ ...row, ...noTexts, ...flags }));
}

/** Gives a project exactly these services, in this order; the tools that are not named come after them, and are off. */
export async function insertImportedServices(
  tx: Transaction,
  project_id: number,
  services: readonly ImportedService[],
): Promise<void> {
  const named = new Set(services.map(({ name }) => name));
  const unnamed = [...builtInServices.keys()].filter((name) => !named.has(name));
  const all: ImportedService[] = [...services, ...unnamed.map((name) => ({ name, isEnabled: false }))];
  for (const [index, { name, isEnabled, link }] of all.entries()) {
    const rank = (index + 1) * rankStep;
    const is_enabled = toFlag(isEnabled || alwaysOn.includes(name));
    if (link === undefined) await insertTool(tx, { project_id, name, rank, is_enabled });
    else await insertLink(tx, { project_id, icon: '', rank, is_enabled }, link);
  }
}

async function insertLink(
  tx: Transaction,
  row: Pick<ServiceRow, 'project_id' | 'icon' | 'rank' | 'is_enabled'>,
  { label, description, url, opensInNewTab }: NonNullable<ImportedService['link']>,
): Promise<void> {
  const own = { name: '', is_custom: 1, opens_in_new_tab: toFlag(opensInNewTab) } as const;
  await tx.run(tx.sql.insertInto('service').values({ ...row, ...own, label, description, url }));
}

/** Switches the tools of a project on and off, and adds links. Those that are not named are off afterwards. */
export async function setImportedServices(
  tx: Transaction,
  project_id: number,
  services: readonly ImportedService[],
): Promise<void> {
  const enabled = services.filter(({ isEnabled }) => isEnabled).map(({ name }) => name);
  const tools = tx.sql.updateTable('service').where('project_id', '=', project_id).where('is_custom', '=', 0);
  await tx.run(tools.set({ is_enabled: 0 }).where('name', 'not in', [...alwaysOn, ...enabled]));
  await tx.run(tools.set({ is_enabled: 1 }).where('name', 'in', [...alwaysOn, ...enabled]));
  const there = new Set((await servicesOf(tx, project_id)).map(({ name }) => name));
  for (const { name, link, isEnabled } of services) {
    const row = { project_id, is_enabled: toFlag(isEnabled), rank: await nextRank(tx, project_id) };
    if (link !== undefined) await insertLink(tx, { ...row, icon: '' }, link);
    else if (!there.has(name)) await insertTool(tx, { ...row, name });
  }
}

export async function copyServices(tx: Transaction, from: number, project_id: number): Promise<void> {
  for (const { id: _, ...row } of await servicesOf(tx, from)) {
    await tx.run(tx.sql.insertInto('service').values({ ...row, project_id }));
  }
}

/** A service with its project, which the viewer administers and may change. */
async function requireService(
  tx: Transaction,
  viewer: Viewer,
  id: number,
): Promise<{ row: ServiceRow; project: Project }> {
  const [row] = await tx.lock(tx.sql.selectFrom('service').selectAll().where('id', '=', id));
  if (row === undefined) throw notFound('There is no such service.');
  const project = await requireProjectForWriting(tx, viewer, row.project_id);
  requireAdministrator(viewer, project);
  return { row, project };
}

export async function switchService(
  tx: Transaction,
  viewer: Viewer,
  { id, isEnabled }: { id: number; isEnabled: boolean },
): Promise<void> {
  const { row, project } = await requireService(tx, viewer, id);
  if (row.name === administrationService && !isEnabled)
    throw invalid('The service `admin` cannot be switched off.');
  if (isEnabled && row.is_custom === 0 && (await disabledServices(tx)).has(row.name))
    throw invalid(`The service \`${row.name}\` is switched off on this platform.`);
  const update = tx.sql.updateTable('service').set({ is_enabled: toFlag(isEnabled) });
  await tx.run(update.where('id', '=', id));
  const words = (isOn: boolean) => (isOn ? 'on' : 'off');
  const details = { before: words(row.is_enabled === 1), after: words(isEnabled) };
  const subject = toService(row, project).label;
  if (details.before !== details.after)
    await recordInHistory(tx, viewer, project.id, { event: 'service_switch', subject, details });
}

export interface CustomService {
  readonly label: string;
  readonly url: string;
  readonly description: string;
  readonly icon: string;
  readonly isEnabled: boolean;
  readonly opensInNewTab: boolean;
  /** Undefined: after all others. */
  readonly rank: number | undefined;
}

/** Whether a link of an archive can be one of a project: it is shown as a link, so it must lead to a page. */
export const isServiceAddress = (url: string) => url.length <= longest.url && serviceAddress.test(url);

export const longestServiceLabel = longest.label;

const serviceAddress = /^(https?:\/\/[^\s/]\S*|\/(?!\/)\S*)$/i;

function checkTexts({ label, url, description, icon }: Partial<CustomService>): void {
  if (label !== undefined && ([...label].length > longest.label || label === ''))
    throw invalidMember('label', `It must have 1 to ${longest.label} characters.`);
  if (url !== undefined && !isServiceAddress(url))
    throw invalidMember('service_url', 'It must be a path that starts with /, or an http or https address.');
  if (icon !== undefined && (icon.length > longest.icon || !/^[\w -]*$/.test(icon)))
    throw invalidMember('icon', 'It must be a class name.');
  if (description !== undefined && description.length > longest.description)
    throw invalidMember('description', `It must have at most ${longest.description} characters.`);
}

async function nextRank(tx: Transaction, projectId: number): Promise<number> {
  const rows = await servicesOf(tx, projectId);
  return Math.max(0, ...rows.map(({ rank }) => rank)) + rankStep;
}

export async function createService(
  tx: Transaction,
  viewer: Viewer,
  { projectId, ...service }: { projectId: number } & CustomService,
): Promise<Service> {
  const project = await requireProjectForWriting(tx, viewer, projectId);
  requireAdministrator(viewer, project);
  checkTexts(service);
  const row = {
    project_id: projectId,
    name: '',
    label: service.label,
    description: service.description,
    url: service.url,
    icon: service.icon,
    rank: service.rank ?? (await nextRank(tx, projectId)),
    is_enabled: toFlag(service.isEnabled),
    is_custom: 1,
    opens_in_new_tab: toFlag(service.opensInNewTab),
  } as const;
  const [stored] = await tx.all(tx.sql.insertInto('service').values(row).returningAll());
  if (stored === undefined) throw new Error('The new service has no id.');
  await recordInHistory(tx, viewer, projectId, { event: 'service_create', subject: service.label });
  return toService(stored, project);
}

async function requireCustomService(tx: Transaction, viewer: Viewer, id: number) {
  const found = await requireService(tx, viewer, id);
  if (found.row.is_custom === 0)
    throw invalid('Only links that the project defined can be changed or deleted.');
  return found;
}

export async function changeService(
  tx: Transaction,
  viewer: Viewer,
  { id, ...changes }: { id: number } & Partial<CustomService>,
): Promise<Service> {
  const { row, project } = await requireCustomService(tx, viewer, id);
  checkTexts(changes);
  const changed: ServiceRow = {
    ...row,
    label: changes.label ?? row.label,
    description: changes.description ?? row.description,
    url: changes.url ?? row.url,
    icon: changes.icon ?? row.icon,
    rank: changes.rank ?? row.rank,
    is_enabled: changes.isEnabled === undefined ? row.is_enabled : toFlag(changes.isEnabled),
    opens_in_new_tab:
      changes.opensInNewTab === undefined ? row.opens_in_new_tab : toFlag(changes.opensInNewTab),
  };
  const { id: _, ...columns } = changed;
  await tx.run(tx.sql.updateTable('service').set(columns).where('id', '=', id));
  return toService(changed, project);
}

export async function deleteService(tx: Transaction, viewer: Viewer, { id }: { id: number }): Promise<void> {
  const { row, project } = await requireCustomService(tx, viewer, id);
  await tx.run(tx.sql.deleteFrom('service').where('id', '=', id));
  await recordInHistory(tx, viewer, project.id, { event: 'service_delete', subject: row.label });
}

/** Puts the services of a project into an order; those that are not named follow in the order they had. */
export async function orderServices(
  tx: Transaction,
  viewer: Viewer,
  { projectId, ids }: { projectId: number; ids: readonly number[] },
): Promise<void> {
  const project = await requireProjectForWriting(tx, viewer, projectId);
  requireAdministrator(viewer, project);
  await lockProject(tx, projectId);
  const rows = await servicesOf(tx, projectId);
  const own = new Set(rows.map(({ id }) => id));
  const foreign = ids.find((id) => !own.has(id));
  if (foreign !== undefined) throw invalidMember('ids', `The project has no service ${foreign}.`);
  if (new Set(ids).size < ids.length) throw invalidMember('ids', 'A service is named twice.');
  const rest = rows.map(({ id }) => id).filter((id) => !ids.includes(id));
  const labels = (order: readonly number[]) =>
    order
      .flatMap((id) => rows.filter((row) => row.id === id))
      .map((row) => toService(row, project).label)
      .join(', ');
  const details = { before: labels(rows.map(({ id }) => id)), after: labels([...ids, ...rest]) };
  if (details.before === details.after) return;
  await recordInHistory(tx, viewer, projectId, { event: 'services_order', subject: '', details });
  for (const [place, id] of [...ids, ...rest].entries())
    await tx.run(
      tx.sql
        .updateTable('service')
        .set({ rank: (place + 1) * rankStep })
        .where('id', '=', id),
    );
}
