import { type Command, Option } from 'commander';
import type { ProjectField } from '../projects/index.ts';
import { type CommandAnswer, listing } from './answer.ts';
import { declareCommand, everything, nonEmpty, onInstance, requireChange, wholeNumber } from './command.ts';
import { CommandFault } from './faults.ts';
import type { Instance } from './instance.ts';

interface FieldOptions {
  readonly description?: string;
  readonly type?: ProjectField['type'];
  readonly required?: boolean;
  readonly rank?: number;
}

const nameOrId = 'name or id of the field';

function withOptions(command: Command): Command {
  return command
    .option('--description <text>', 'what the field is for')
    .addOption(new Option('--type <type>', 'text has many lines, line has one').choices(['text', 'line']))
    .option('--required', 'no project is created without a value')
    .option('--rank <number>', 'place among the fields, small ones first', wholeNumber(0, 1_000_000));
}

export function declare(group: Command): void {
  group.description('Fields that the platform asks for when a project is created.');
  const create = declareCommand(
    group,
    'create',
    'Add a field, after the others unless it gets a rank.',
    'project-field create "Cost centre" --description Accounting --type line --required',
  );
  withOptions(create).argument('<name>', 'name of the field', nonEmpty).action(onInstance(createField));
  const set = declareCommand(
    group,
    'set',
    'Change a field. What is not named stays as it is.',
    'project-field set "Cost centre" --no-required --rank 3',
  );
  withOptions(set)
    .option('--no-required', 'projects are created without a value, too')
    .option('--name <name>', 'new name', nonEmpty)
    .argument('<field>', nameOrId)
    .action(onInstance(setField));
  declareCommand(group, 'list', 'List the fields in their order.', 'project-field list').action(
    onInstance(listFields),
  );
  declareCommand(group, 'delete', 'Delete a field with its values.', 'project-field delete "Cost centre"')
    .argument('<field>', nameOrId)
    .action(onInstance(deleteField));
}

function presented({ isRequired: is_required, ...field }: ProjectField) {
  return { ...field, is_required };
}

async function fieldsOf({ database, viewer, projects }: Instance): Promise<readonly ProjectField[]> {
  return (await projects.listProjectFields(database, viewer, everything)).items;
}

/** A field by its name or its id; what could be both is a name. */
export async function fieldNamed(instance: Instance, text: string): Promise<ProjectField> {
  const fields = await fieldsOf(instance);
  const field =
    fields.find(({ name }) => name.toLowerCase() === text.toLowerCase()) ??
    fields.find(({ id }) => String(id) === text);
  if (field === undefined) throw new CommandFault(`There is no project field ${text}.`);
  return field;
}

async function createField(instance: Instance, name: string, options: FieldOptions): Promise<CommandAnswer> {
  const { description = '', type = 'text', required: isRequired = false, rank } = options;
  const field = await instance.operations.createProjectField(instance.viewer, {
    name,
    description,
    type,
    isRequired,
    rank,
  });
  return { data: presented(field), words: `The project field ${field.name} has the id ${field.id}.` };
}

async function setField(
  instance: Instance,
  text: string,
  { required: isRequired, name, description, type, rank }: FieldOptions & { readonly name?: string },
): Promise<CommandAnswer> {
  const changes = { name, description, type, rank, isRequired };
  requireChange(changes);
  const { id } = await fieldNamed(instance, text);
  const field = await instance.operations.changeProjectField(instance.viewer, { id, ...changes });
  return { data: presented(field), words: `The project field ${field.name} was changed.` };
}

async function listFields(instance: Instance): Promise<CommandAnswer> {
  const fields = (await fieldsOf(instance)).map(presented);
  const rows = fields.map(({ id, name, type, rank, is_required, description }) => [
    id,
    name,
    type,
    rank,
    is_required,
    description,
  ]);
  const headings = ['ID', 'NAME', 'TYPE', 'RANK', 'REQUIRED', 'DESCRIPTION'];
  return listing(fields, headings, rows, 'There are no project fields.');
}

async function deleteField(instance: Instance, text: string): Promise<CommandAnswer> {
  const { id, name } = await fieldNamed(instance, text);
  await instance.operations.deleteProjectField(instance.viewer, { id });
  return { data: { id, name }, words: `The project field ${name} was deleted.` };
}
