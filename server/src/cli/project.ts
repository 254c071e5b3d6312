import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Project, ProjectAccess, ProjectStatus } from '../projects/index.ts';
import { accountNamed } from './accounts.ts';
import { type Answer, listing } from './answer.ts';
import { declareCommand, everything, onInstance, requireChange } from './command.ts';
import { CommandFault } from './faults.ts';
import type { Instance } from './instance.ts';
import { fieldNamed } from './project-field.ts';

const visibilities: readonly ProjectAccess[] = ['public', 'unrestricted', 'private', 'private-wo-restr'];
const statuses: readonly ProjectStatus[] = ['active', 'suspended', 'deleted'];
const listedStatuses: readonly ProjectStatus[] = ['active', 'pending', 'suspended', 'deleted'];

interface ProjectOptions {
  readonly label?: string;
  readonly description?: string;
  readonly visibility?: ProjectAccess;
  readonly status?: ProjectStatus;
  readonly template?: boolean;
}

interface NewProjectOptions extends ProjectOptions {
  readonly from?: string;
  readonly admin?: string;
  readonly field?: readonly GivenField[];
}

interface GivenField {
  readonly name: string;
  readonly value: string;
}

function withOptions(command: Command): Command {
  return command
    .option('--label <text>', 'name that people see, 3 to 40 characters')
    .option('--description <text>', 'what the project is about')
    .addOption(new Option('--visibility <visibility>', 'who sees it').choices(visibilities))
    .addOption(
      new Option('--status <status>', 'what can be done with it; deleted cannot be undone').choices(statuses),
    )
    .option('--template', 'let people create projects from it');
}

function fieldOf(text: string, given: readonly GivenField[] = []): GivenField[] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('Expecting the name or id of a project field, "=" and its value.');
  return [...given, { name, value }];
}

export function declare(group: Command): void {
  group.description('Make, change and list projects.');
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
    .option('--field <name=value>', 'value of a project field; may be given several times', fieldOf)
    .action(onInstance(createProject));
  const set = declareCommand(
    group,
    'set',
    'Change a project. What is not named stays as it is.',
    'project set web-shop --status suspended',
    'project set web-shop --no-template --visibility public',
  );
  withOptions(set)
    .option('--no-template', 'let nobody create projects from it any more')
    .argument('<shortname>', 'short name of the project')
    .action(onInstance(setProject));
  declareCommand(group, 'list', 'List projects, whatever their status.', 'project list --status suspended')
    .addOption(new Option('--status <status>', 'only those in this status').choices(listedStatuses))
    .action(onInstance(listProjects));
}

function presented({ id, shortname, label, description, status, access, isTemplate }: Project) {
  return { id, shortname, label, description, status, access, is_template: isTemplate };
}

export async function projectNamed(
  { database, viewer, projects }: Instance,
  shortname: string,
): Promise<Project> {
  const project = await projects.findProjectByShortname(database, viewer, shortname);
  if (project === undefined) throw new CommandFault(`There is no project ${shortname}.`);
  return project;
}

/** What the template's name means: the short name or the id of a project, else one that comes with the product. */
async function templateNamed({ database, viewer, projects }: Instance, text: string | undefined) {
  const shipped = (name: string) => ({ templateId: undefined, xmlTemplateName: name, isFromArchive: false });
  if (text === undefined) return shipped('empty');
  const project = await projects.findProjectByShortname(database, viewer, text);
  if (project !== undefined) return { ...shipped(''), templateId: project.id };
  return /^\d{1,15}$/.test(text) ? { ...shipped(''), templateId: Number(text) } : shipped(text);
}

const openness: Readonly<Record<ProjectAccess, { isPublic: boolean; allowRestricted: boolean | null }>> = {
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
  const fields = [];
  for (const { name, value } of options.field ?? [])
    fields.push({ fieldId: (await fieldNamed(instance, name)).id, value });
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
): Promise<Answer> {
  const { database, viewer, operationTable } = instance;
  const input = await newProjectOf(instance, shortname, options);
  const { status, template: isTemplate } = options;
  await database.transaction(async (tx) => {
    const { id } = await operationTable.createProject(tx, viewer, input);
    await operationTable.changeProjectSettings(tx, viewer, { id, status, isTemplate });
  });
  const project = await projectNamed(instance, shortname);
  return { data: presented(project), words: `The project ${project.shortname} has the id ${project.id}.` };
}

async function setProject(instance: Instance, shortname: string, options: ProjectOptions): Promise<Answer> {
  const { label, description, visibility: access, status, template: isTemplate } = options;
  const changes = { label, description, access, status, isTemplate };
  requireChange(changes);
  const { id } = await projectNamed(instance, shortname);
  await instance.operations.changeProjectSettings(instance.viewer, { id, ...changes });
  const project = await projectNamed(instance, shortname);
  return { data: presented(project), words: `The project ${project.shortname} was changed.` };
}

async function listProjects(
  instance: Instance,
  options: { readonly status?: ProjectStatus },
): Promise<Answer> {
  const { database, viewer, projects } = instance;
  const found: Project[] = [];
  for (const status of options.status === undefined ? listedStatuses : [options.status]) {
    const criterion = { kind: 'status', status } as const;
    found.push(...(await projects.listProjects(database, viewer, { criterion, ...everything }, [])).items);
  }
  const items = found.sort((one, other) => one.id - other.id).map(presented);
  const rows = items.map((project) => [
    project.id,
    project.shortname,
    project.status,
    project.access,
    project.is_template,
    project.label,
  ]);
  const headings = ['ID', 'SHORT NAME', 'STATUS', 'VISIBILITY', 'TEMPLATE', 'LABEL'];
  return listing(items, headings, rows, 'There are no projects.');
}
