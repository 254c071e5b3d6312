import { invalid, invalidMember, type Refusal } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { XmlElement } from '../kernel/xml.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import type { ProjectExtension, TemplateSource } from './extension.ts';
import { countsAsAdministrator, verdictOn } from './policy.ts';
import { copyServices, insertDefaultServices } from './services.ts';
import { findProject } from './store.ts';

/** What a new project is made from: the first that is given counts. */
export interface TemplateChoice {
  readonly templateId: number | undefined;
  /** Empty when not given. */
  readonly xmlTemplateName: string;
  readonly isFromArchive: boolean;
  /** What the named template holds. */
  readonly shipped?: XmlElement | undefined;
}

/** Templates that come with the product. */
export const shippedTemplates = ['empty', 'issues', 'agile', 'service_desk'];

/** What clients of the reference call templates that do the same. */
const otherNames: Readonly<Record<string, string>> = { scrum: 'agile', agile_alm: 'agile', kanban: 'issues' };

/** The template of that name that comes with the product. */
export function shippedTemplateNamed(name: string): string | undefined {
  const own = Object.hasOwn(otherNames, name) ? otherNames[name] : name;
  return shippedTemplates.find((known) => known === own);
}

/** Whether the content comes later, with an archive. */
export const comesFromArchive = ({ templateId, xmlTemplateName, isFromArchive }: TemplateChoice) =>
  templateId === undefined && xmlTemplateName === '' && isFromArchive;

export function templateChoiceFault({
  templateId,
  xmlTemplateName,
  isFromArchive,
}: TemplateChoice): Refusal | undefined {
  if (templateId !== undefined || xmlTemplateName !== '' || isFromArchive) return undefined;
  return invalid('One of `template_id`, `xml_template_name` and `from_archive` is required.');
}

/** Why the template that was asked for cannot be had. */
export async function chosenTemplateFault(
  reader: Reader,
  viewer: Viewer,
  { templateId, xmlTemplateName }: TemplateChoice,
): Promise<Refusal | undefined> {
  if (templateId !== undefined) return projectTemplateFault(reader, viewer, templateId);
  if (xmlTemplateName === '' || shippedTemplateNamed(xmlTemplateName) !== undefined) return undefined;
  return invalidMember('xml_template_name', `There are the templates ${shippedTemplates.join(', ')}.`);
}

/** A template is open to all who can access it, any other project to its administrators. */
async function projectTemplateFault(
  reader: Reader,
  viewer: Viewer,
  id: number,
): Promise<Refusal | undefined> {
  const template = await findProject(reader, viewer, id);
  if (template === undefined || (template.status !== 'active' && template.status !== 'system'))
    return invalidMember('template_id', 'There is no such template.');
  const isOpen = template.isTemplate
    ? verdictOn(viewer, template) === 'granted'
    : countsAsAdministrator(viewer, template);
  return isOpen ? undefined : invalidMember('template_id', 'You may not use this project as a template.');
}

/** Copies the static user groups, without their members, and tells which became which. */
async function copyGroups(tx: Transaction, from: number, project_id: number): Promise<Map<number, number>> {
  const copies = new Map<number, number>();
  const groups = tx.sql.selectFrom('user_group').selectAll().where('project_id', '=', from).orderBy('id');
  for (const { id, name, name_key, description } of await tx.all(groups)) {
    const copy = tx.sql.insertInto('user_group').values({ project_id, name, name_key, description });
    const [stored] = await tx.all(copy.returning('id'));
    if (stored !== undefined) copies.set(id, stored.id);
  }
  return copies;
}

/** Who manages members is said in terms of groups, so it follows them. */
async function copyMembershipRules(
  tx: Transaction,
  from: number,
  project_id: number,
  groups: ReadonlyMap<number, number>,
): Promise<void> {
  const synchronised = tx.sql
    .selectFrom('project')
    .select('has_synchronised_membership')
    .where('id', '=', from);
  const [template] = await tx.all(synchronised);
  if (template !== undefined)
    await tx.run(tx.sql.updateTable('project').set(template).where('id', '=', project_id));
  const delegated = tx.sql.selectFrom('membership_delegation').select('group_id');
  for (const row of await tx.all(delegated.where('project_id', '=', from))) {
    const group_id = groups.get(row.group_id);
    if (group_id !== undefined)
      await tx.run(tx.sql.insertInto('membership_delegation').values({ project_id, group_id }));
  }
}

async function fillFromProject(tx: Transaction, from: number, projectId: number): Promise<TemplateSource> {
  const groups = await copyGroups(tx, from, projectId);
  await copyServices(tx, from, projectId);
  await copyMembershipRules(tx, from, projectId, groups);
  return { kind: 'project', projectId: from, groups };
}

/** Puts into a new project what its template holds, in this room and in those above. */
export async function fillProject(
  tx: Transaction,
  viewer: Viewer,
  projectId: number,
  { templateId, xmlTemplateName, shipped }: TemplateChoice,
  extensions: readonly ProjectExtension[],
): Promise<void> {
  let source: TemplateSource;
  if (templateId === undefined) {
    await insertDefaultServices(tx, projectId);
    source = { kind: 'shipped', name: xmlTemplateName, content: shipped };
  } else source = await fillFromProject(tx, templateId, projectId);
  for (const extension of extensions) await extension.fillFromTemplate?.(tx, viewer, projectId, source);
}
