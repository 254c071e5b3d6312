import { readSettings, requireSiteAdministrator } from '../identity/index.ts';
import { invalidMember, notFound, type Refusal } from '../kernel/errors.ts';
import { type Page, type Slice, slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Tables, Transaction } from '../storage/index.ts';
import { toFlag } from '../storage/index.ts';
import { longestText, refuse } from './model.ts';
import { creationFault } from './policy.ts';

/** A question that the platform asks about every project. */
export interface ProjectField {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** `text` has many lines. */
  readonly type: 'text' | 'line';
  readonly rank: number;
  readonly isRequired: boolean;
}

export interface ProjectFieldValue {
  readonly fieldId: number;
  readonly value: string;
}

const longest = { name: 255, description: 4000 };

type FieldRow = Omit<Tables['project_field'], 'id'> & { id: number };

function toField({ id, name, description, type, rank, is_required }: FieldRow): ProjectField {
  return { id, name, description, type, rank, isRequired: is_required === 1 };
}

/** All project fields, in the order in which they are asked. */
export async function allProjectFields(reader: Reader): Promise<ProjectField[]> {
  const query = reader.sql.selectFrom('project_field').selectAll().orderBy('rank').orderBy('id');
  return (await reader.all(query)).map(toField);
}

/** All project fields at a revision, asked of the database only when that is another one than before. */
export function rememberedProjectFields(
  reader: Reader,
): (revision: number) => Promise<readonly ProjectField[]> {
  let known: { readonly revision: number; readonly fields: readonly ProjectField[] } | undefined;
  return async (revision) => {
    if (known?.revision !== revision) known = { revision, fields: await allProjectFields(reader) };
    return known.fields;
  };
}

export async function listProjectFields(
  reader: Reader,
  viewer: Viewer,
  page: Page,
): Promise<Slice<ProjectField>> {
  refuse(creationFault(viewer, await readSettings(reader)));
  return slice(await allProjectFields(reader), page);
}

/** What is wrong with the values given for a project's fields. */
export function fieldValueFaults(
  fields: readonly ProjectField[],
  values: readonly ProjectFieldValue[],
): readonly Refusal[] {
  const input = new Map(values.map(({ fieldId, value }) => [fieldId, value]));
  const unknown = [...input.keys()].filter((id) => !fields.some((field) => field.id === id));
  const missing = fields.filter(({ id, isRequired }) => isRequired && (input.get(id) ?? '') === '');
  return [
    ...unknown.map((id) => invalidMember('fields', `There is no project field ${id}.`)),
    ...missing.map(({ id, name }) => invalidMember('fields', `Field ${id} (${name}) needs a value.`)),
    ...values
      .filter(({ value }) => value.length > longestText)
      .map(({ fieldId }) => invalidMember('fields', `The value of field ${fieldId} is too long.`)),
  ];
}

/** The form in which a project keeps its values. */
export function toFieldValues(values: readonly ProjectFieldValue[]): string {
  return JSON.stringify(Object.fromEntries(values.map(({ fieldId, value }) => [fieldId, value])));
}

export function parseFieldValues(fieldValues: string): Readonly<Record<string, string>> {
  return JSON.parse(fieldValues);
}

function checkTexts({ name, description }: { name?: string; description?: string }): void {
  if (name !== undefined && (name === '' || name.length > longest.name))
    throw invalidMember('name', `It must have 1 to ${longest.name} characters.`);
  if (description !== undefined && description.length > longest.description)
    throw invalidMember('description', `It must have at most ${longest.description} characters.`);
}

async function checkNameIsFree(tx: Transaction, name: string, ownId?: number): Promise<void> {
  await tx.alone('names');
  const fields = await allProjectFields(tx);
  if (fields.some((field) => field.name.toLowerCase() === name.toLowerCase() && field.id !== ownId))
    throw invalidMember('name', 'There is already a project field with this name.');
}

export type NewProjectField = Omit<ProjectField, 'id' | 'rank'> & { readonly rank: number | undefined };

export async function createProjectField(
  tx: Transaction,
  viewer: Viewer,
  field: NewProjectField,
): Promise<ProjectField> {
  requireSiteAdministrator(viewer);
  checkTexts(field);
  await checkNameIsFree(tx, field.name);
  const ranks = (await allProjectFields(tx)).map(({ rank }) => rank);
  const row = {
    name: field.name,
    description: field.description,
    type: field.type,
    rank: field.rank ?? Math.max(0, ...ranks) + 1,
    is_required: toFlag(field.isRequired),
  };
  const [stored] = await tx.all(tx.sql.insertInto('project_field').values(row).returningAll());
  if (stored === undefined) throw new Error('The new project field has no id.');
  await tx.touch('identity');
  return toField(stored);
}

export async function changeProjectField(
  tx: Transaction,
  viewer: Viewer,
  { id, ...changes }: { id: number } & Partial<NewProjectField>,
): Promise<ProjectField> {
  requireSiteAdministrator(viewer);
  checkTexts(changes);
  const [row] = await tx.lock(tx.sql.selectFrom('project_field').selectAll().where('id', '=', id));
  if (row === undefined) throw notFound('There is no such project field.');
  if (changes.name !== undefined) await checkNameIsFree(tx, changes.name, id);
  const columns = {
    name: changes.name ?? row.name,
    description: changes.description ?? row.description,
    type: changes.type ?? row.type,
    rank: changes.rank ?? row.rank,
    is_required: changes.isRequired === undefined ? row.is_required : toFlag(changes.isRequired),
  };
  await tx.run(tx.sql.updateTable('project_field').set(columns).where('id', '=', id));
  await tx.touch('identity');
  return toField({ ...columns, id });
}

/** Ids are never given twice, so values that projects still hold of it are never shown again. */
export async function deleteProjectField(
  tx: Transaction,
  viewer: Viewer,
  { id }: { id: number },
): Promise<void> {
  requireSiteAdministrator(viewer);
  const deleted = await tx.run(tx.sql.deleteFrom('project_field').where('id', '=', id));
  if (deleted === 0) throw notFound('There is no such project field.');
  await tx.touch('identity');
}
