import { type Command, InvalidArgumentError, Option } from 'commander';
import type {
  AccessLevel,
  Project,
  ProjectFieldValue,
  ProjectSettingsChanges,
  ProjectStatus,
} from '../projects/index.ts';
import { accountNamed } from './accounts.ts';
import { type CommandAnswer, listing, table } from './answer.ts';
import { declareCommand, everything, onInstance, requireChange } from './command.ts';
import type { Instance } from './instance.ts';
import { declareDeletion } from './project-deletion.ts';
import { fieldNamed } from './project-field.ts';
import { projectNamed } from './project-named.ts';

const visibilities: readonly AccessLevel[] = ['public', 'unrestricted', 'private', 'private-wo-restr'];
const statuses: readonly ProjectStatus[] = ['active', 'suspended', 'deleted'];
const listedStatuses: readonly ProjectStatus[] = ['active', 'pending', 'suspended', 'deleted', 'system'];

interface ProjectOptions {
  readonly label?: string;
  readonly description?: string;
  readonly visibility?: AccessLevel;
  readonly status?: ProjectStatus;
  readonly template?: boolean;
  readonly field?: readonly FieldInput[];
}

interface NewProjectOptions extends ProjectOptions {
  readonly from?: string;
  readonly admin?: string;
}

interface FieldInput {
  readonly name: string;
  readonly value: string;
}

function withOptions(command: Command): Command {
  return command
    .option('--label <text>', 'name that people see, 3 to 40 characters')
    .option('--description <text>', 'what the project is about')
    .addOption(new Option('--visibility <visibility>', 'who sees it').choices(visibilities))
    .addOption(
      new Option('--status <status>', 'what can be done with it; see `project delete`, too').choices(
        statuses,
      ),
    )
    .option('--template', 'let people create projects from it')
    .option('--field <name=value>', 'value of a project field; may be given several times', fieldOf);
}

function fieldOf(text: string, input: readonly FieldInput[] = []): FieldInput[] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('Expecting the name or id of a project field, "=" and its value.');
  return [...input, { name, value }];
}

export function declare(group: Command): void {
  group.description('Make, change, list and delete projects, and bring them back.');
  const create = declareCommand(
    group,
    'create',
    'Make a project. Without --label its short name is its label.',
    'project create web-shop --label "Web Shop" --visibility private --admin ines',
    'project create web-shop --from issues --field "Cost centre=4711"',
  );
  withOptions(create)
    .argument('<shortname>', 'short name: 3 to 30 letters, digits and hyphens')
    .option(
      '--from <template>',
      'short name or id of a project to copy, or: empty (the default), issues, agile, service_desk',
    )
    .option('--admin <user>', 'who administers it (the first administrator of the platform)')
    .action(onInstance(createProject));
  const set = declareCommand(
    group,
    'set',
    'Change a project. What is not named stays as it is.',
    'project set web-shop --status suspended',
    'project set web-shop --no-template --visibility public',
    'project set web-shop --field "Cost centre=4711"',
  );
  withOptions(set)
    .option('--no-template', 'let nobody create projects from it any more')
    .argument('<shortname>', 'short name of the project')
    .action(onInstance(setProject));
  declareCommand(
    group,
    'show',
    'Tell what is known of a project, with the values of its project fields.',
    'project show web-shop',
    'project show web-shop --json',
  )
    .argument('<shortname>', 'short name of the project')
    .action(onInstance(showProject));
  declareCommand(
    group,
    'list',
    'List projects, whatever their status, and what new ones can be made from.',
    'project list --status suspended',
    'project list --templates',
  )
    .addOption(new Option('--status <status>', 'only those in this status').choices(listedStatuses))
    .option('--templates', 'only what new projects can be made from')
    .action(onInstance(listProjects));
  declareDeletion(group);
}

function presented({ id, shortname, label, description, status, access, isTemplate }: Project) {
  return { id, shortname, label, description, status, access, is_template: isTemplate };
}

/** What the template's name means: the short name or the id of a project, else one that comes with the product. */
async function templateNamed({ database, viewer, projects }: Instance, text: string | undefined) {
  const shipped = (name: string) => ({ templateId: undefined, xmlTemplateName: name, isFromArchive: false });
  if (text === undefined) return shipped('empty');
  const project = await projects.findProjectByShortname(database, viewer, text);
  if (project !== undefined) return { ...shipped(''), templateId: project.id };
  return /^\d{1,15}$/.test(text) ? { ...shipped(''), templateId: Number(text) } : shipped(text);
}

const openness: Readonly<Record<AccessLevel, { isPublic: boolean; allowRestricted: boolean | null }>> = {
  public: { isPublic: true, allowRestricted: null },
  unrestricted: { isPublic: true, allowRestricted: true },
  private: { isPublic: false, allowRestricted: null },
  'private-wo-restr': { isPublic: false, allowRestricted: false },
};

async function newProjectOf(instance: Instance, shortname: string, options: NewProjectOptions) {
  const { project_default_access } = await instance.identity.readSettings(instance.database);
  const { label = shortname, description = '', visibility = project_default_access } = options;
  const { readShippedTemplate } = await import('../archive/index.ts');
  const template = await templateNamed(instance, options.from);
  const fields = await fieldsGiven(instance, options.field ?? []);
  return {
    shortname,
    label,
    description,
    ...openness[visibility],
    ...template,
    shipped: await readShippedTemplate(template.xmlTemplateName),
    categories: 0,
    fields,
    administratorId:
      options.admin === undefined ? undefined : (await accountNamed(instance, options.admin)).id,
  };
}

async function createProject(
  instance: Instance,
  shortname: string,
  options: NewProjectOptions,
): Promise<CommandAnswer> {
  const { database, viewer, platform } = instance;
  const input = await newProjectOf(instance, shortname, options);
  const { status, template: isTemplate } = options;
  await database.transaction(async (tx) => {
    const { id } = await platform.operations.createProject(tx, viewer, input);
    await platform.operations.changeProjectSettings(tx, viewer, { id, status, isTemplate });
  });
  const project = await projectNamed(instance, shortname);
  return { data: presented(project), words: `The project ${project.shortname} has the id ${project.id}.` };
}

async function fieldsGiven(instance: Instance, input: readonly FieldInput[]): Promise<ProjectFieldValue[]> {
  const fields = [];
  for (const { name, value } of input) fields.push({ fieldId: (await fieldNamed(instance, name)).id, value });
  return fields;
}

/** Changes settings, and values of fields as they are now: two commands at once lose nothing of each other. */
async function change(
  {
    database,
    viewer,
    platform: {
      operations: { changeProjectSettings },
    },
  }: Instance,
  changes: ProjectSettingsChanges,
  input: readonly ProjectFieldValue[],
): Promise<void> {
  const values = new Map(input.map(({ fieldId, value }) => [fieldId, value]));
  await database.transaction(async (tx) => {
    // A change of nothing: it locks the project and reads it.
    const current = await changeProjectSettings(tx, viewer, { id: changes.id });
    const fields = current.fields.map(({ fieldId, value }) => ({
      fieldId,
      value: values.get(fieldId) ?? value,
    }));
    await changeProjectSettings(tx, viewer, { ...changes, ...(input.length === 0 ? {} : { fields }) });
  });
}

async function setProject(
  instance: Instance,
  shortname: string,
  options: ProjectOptions,
): Promise<CommandAnswer> {
  const { label, description, visibility: access, status, template: isTemplate, field } = options;
  const changes = { label, description, access, status, isTemplate };
  requireChange({ ...changes, field });
  const { id } = await projectNamed(instance, shortname);
  await change(instance, { id, ...changes }, await fieldsGiven(instance, field ?? []));
  const project = await projectNamed(instance, shortname);
  return { data: presented(project), words: `The project ${project.shortname} was changed.` };
}

async function showProject(instance: Instance, shortname: string): Promise<CommandAnswer> {
  const { database, projects } = instance;
  const project = await projectNamed(instance, shortname);
  const values = projects.parseFieldValues(project.fieldValues);
  const fields = (await projects.allProjectFields(database)).map(({ id, name }) => ({
    ...{ id, name, value: values[id] ?? '' },
  }));
  const data = { ...presented(project), fields };
  const rows = [
    ['id', data.id],
    ['short name', data.shortname],
    ['label', data.label],
    ['status', data.status],
    ['visibility', data.access],
    ['template', data.is_template ? 'yes' : 'no'],
    ['description', data.description],
    ...fields.map(({ name, value }) => [name, value]),
  ];
  return { data, words: table(['WHAT', 'VALUE'], rows) };
}

/** The projects that a list goes through: the one that was named, or all that are not deleted. */
export async function projectsToList(
  instance: Instance,
  name: string | undefined,
): Promise<readonly Project[]> {
  if (name !== undefined) return [await projectNamed(instance, name)];
  return projectsIn(
    instance,
    listedStatuses.filter((status) => status !== 'deleted'),
  );
}

/** The projects in these states, by id; the one that the platform makes others from has a state of its own. */
async function projectsIn(
  { database, viewer, projects }: Instance,
  statuses: readonly ProjectStatus[],
): Promise<readonly Project[]> {
  const found: Project[] = [];
  for (const status of statuses.filter((status) => status !== 'system')) {
    const criterion = { kind: 'status', status } as const;
    found.push(...(await projects.listProjects(database, viewer, { criterion, ...everything }, [])).items);
  }
  if (statuses.includes('system')) {
    const template = await projects.findProject(database, viewer, projects.defaultTemplateId);
    if (template !== undefined) found.push(template);
  }
  return found.sort((one, other) => one.id - other.id);
}

const headings = ['ID', 'SHORT NAME', 'STATUS', 'VISIBILITY', 'TEMPLATE', 'LABEL'];

const rowOf = ({ id, shortname, status, access, is_template, label }: ReturnType<typeof presented>) => [
  ...[id, shortname, status, access, is_template, label],
];

/** What a new project can be made from: projects, and what comes with the product, which is no project. */
async function listTemplates(instance: Instance): Promise<CommandAnswer> {
  const projects = await projectsIn(instance, ['active', 'system']);
  const own = projects.filter(({ isTemplate }) => isTemplate).map(presented);
  const shipped = instance.projects.shippedTemplates.map((shortname) => ({
    ...{ id: null, shortname, label: shortname, description: '' },
    ...{ status: null, access: null, is_template: true },
  }));
  const rows = shipped.map(({ shortname }) => [null, shortname, 'shipped', null, true, shortname]);
  return listing([...own, ...shipped], headings, [...own.map(rowOf), ...rows], '');
}

async function listProjects(
  instance: Instance,
  options: { readonly status?: ProjectStatus; readonly templates?: boolean },
): Promise<CommandAnswer> {
  if (options.templates && options.status === undefined) return listTemplates(instance);
  const inState = await projectsIn(
    instance,
    options.status === undefined ? listedStatuses : [options.status],
  );
  const items = inState.filter(({ isTemplate }) => isTemplate || !options.templates).map(presented);
  const answer = listing(items, headings, items.map(rowOf), 'There are no projects.');
  if (options.status !== undefined) return answer;
  const shipped = instance.projects.shippedTemplates.join(', ');
  return { ...answer, words: `${answer.words}\nTemplates that come with Atelier: ${shipped}.` };
}
