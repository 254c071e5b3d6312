import { invalidMember, notFound } from '../kernel/errors.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import { fold } from '../kernel/text.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { contains, type Reader, type Tables, type Transaction, toFlag } from '../storage/index.ts';
import { requireAdministrator } from './policy.ts';
import { requireProject, requireProjectForWriting } from './require-access.ts';

export interface Label {
  readonly id: number;
  readonly label: string;
  readonly isOutline: boolean;
  readonly color: string;
}

export interface LabelContent {
  readonly label: string;
  readonly isOutline: boolean;
  readonly color: string;
}

export const defaultLabelColor = 'chrome-silver';
const longestLabel = 255;

type LabelRow = Pick<Tables['label'], 'label' | 'is_outline' | 'color'> & { id: number };
const toLabel = ({ id, label, is_outline, color }: LabelRow): Label => ({
  id,
  label,
  isOutline: is_outline === 1,
  color,
});

/** Labels whose name has the given part in it, by name. */
export async function listLabels(
  reader: Reader,
  viewer: Viewer,
  { projectId, part, limit, offset }: { projectId: number; part: string } & Page,
): Promise<Slice<Label>> {
  await requireProject(reader, viewer, projectId, 'project');
  const ofProject = reader.sql.selectFrom('label').where('project_id', '=', projectId);
  const matching = part === '' ? ofProject : ofProject.where(contains('label_key', fold(part)));
  const count = await reader.first(matching.select((label) => label.fn.countAll<number>().as('size')));
  const page = matching.selectAll().orderBy('label_key').limit(limit).offset(offset);
  return { items: (await reader.all(page)).map(toLabel), size: count?.size ?? 0 };
}

async function checkLabel(tx: Transaction, projectId: number, label: string, ownId?: number): Promise<void> {
  if (label === '' || label.length > longestLabel)
    throw invalidMember('label', `It must have 1 to ${longestLabel} characters.`);
  const query = tx.sql.selectFrom('label').select('id').where('project_id', '=', projectId);
  const taken = await tx.first(query.where('label_key', '=', fold(label)));
  if (taken !== undefined && taken.id !== ownId)
    throw invalidMember('label', 'The project already has a label with this name.');
}

async function requireLabelling(tx: Transaction, viewer: Viewer, projectId: number): Promise<void> {
  requireAdministrator(viewer, await requireProjectForWriting(tx, viewer, projectId));
}

export async function createLabel(
  tx: Transaction,
  viewer: Viewer,
  { projectId, label, isOutline, color }: { projectId: number } & LabelContent,
): Promise<Label> {
  await requireLabelling(tx, viewer, projectId);
  await checkLabel(tx, projectId, label);
  const row = { project_id: projectId, label, label_key: fold(label), is_outline: toFlag(isOutline), color };
  const [stored] = await tx.all(tx.sql.insertInto('label').values(row).returningAll());
  if (stored === undefined) throw new Error('The new label has no id.');
  return toLabel(stored);
}

interface LabelAddress {
  readonly id: number;
  readonly projectId: number;
}

async function requireLabel(tx: Transaction, { id, projectId }: LabelAddress): Promise<LabelRow> {
  const query = tx.sql.selectFrom('label').selectAll().where('project_id', '=', projectId);
  const row = await tx.first(query.where('id', '=', id));
  if (row === undefined) throw notFound('There is no such label in this project.');
  return row;
}

export async function changeLabel(
  tx: Transaction,
  viewer: Viewer,
  { id, projectId, ...changes }: LabelAddress & Partial<LabelContent>,
): Promise<Label> {
  await requireLabelling(tx, viewer, projectId);
  const row = await requireLabel(tx, { id, projectId });
  if (changes.label !== undefined) await checkLabel(tx, projectId, changes.label, id);
  const label = changes.label ?? row.label;
  const changed = {
    label,
    label_key: fold(label),
    is_outline: changes.isOutline === undefined ? row.is_outline : toFlag(changes.isOutline),
    color: changes.color ?? row.color,
  };
  await tx.run(tx.sql.updateTable('label').set(changed).where('id', '=', id));
  return toLabel({ ...changed, id });
}

export async function deleteLabel(tx: Transaction, viewer: Viewer, address: LabelAddress): Promise<void> {
  await requireLabelling(tx, viewer, address.projectId);
  await requireLabel(tx, address);
  await tx.run(tx.sql.deleteFrom('label').where('id', '=', address.id));
}
