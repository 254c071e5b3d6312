import { requireSiteAdministrator } from '../../identity/index.ts';
import { forbidden, invalid, invalidMember, notFound } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { requireProjectAccess, requireProjectWritable } from '../../projects/index.ts';
import { type SqlBool, sql, type Transaction } from '../../storage/index.ts';
import { isSystemType, type LinkType, listLinkTypes } from '../link-types.ts';
import { lockTrackersOf } from '../policy.ts';
import { oneLine } from '../texts.ts';

const longestShortname = 255;

function checkShortname(shortname: string): void {
  if (!/^[a-zA-Z][a-zA-Z_]*$/.test(shortname) || shortname.length > longestShortname)
    throw invalidMember(
      'shortname',
      `It must begin with a letter and have at most ${longestShortname} letters and underscores.`,
    );
}

export async function createLinkType(tx: Transaction, viewer: Viewer, type: LinkType): Promise<LinkType> {
  requireSiteAdministrator(viewer);
  const { shortname } = type;
  checkShortname(shortname);
  const forwardLabel = oneLine('forward_label', type.forwardLabel);
  const reverseLabel = oneLine('reverse_label', type.reverseLabel);
  const row = { shortname, forward_label: forwardLabel, reverse_label: reverseLabel };
  const insert = tx.sql.insertInto('link_type').values(row);
  const stored = await tx.run(insert.onConflict((conflict) => conflict.column('shortname').doNothing()));
  if (stored === 0) throw invalidMember('shortname', 'There is already a type of links with this name.');
  await tx.touch('structure');
  return { shortname, forwardLabel, reverseLabel };
}

export async function changeLinkType(
  tx: Transaction,
  viewer: Viewer,
  { shortname, forwardLabel, reverseLabel }: Pick<LinkType, 'shortname'> & Partial<LinkType>,
): Promise<LinkType> {
  requireSiteAdministrator(viewer);
  const type = (await listLinkTypes(tx)).find((candidate) => candidate.shortname === shortname);
  if (type === undefined) throw notFound('There is no such type of links.');
  if (isSystemType(type)) throw invalid('The types of the platform stay as they are.');
  const changed = {
    shortname,
    forwardLabel: oneLine('forward_label', forwardLabel ?? type.forwardLabel),
    reverseLabel: oneLine('reverse_label', reverseLabel ?? type.reverseLabel),
  };
  const labels = { forward_label: changed.forwardLabel, reverse_label: changed.reverseLabel };
  await tx.run(tx.sql.updateTable('link_type').set(labels).where('shortname', '=', shortname));
  await tx.touch('structure');
  return changed;
}

/** An index knows the links of every type but those of the platform. */
async function isUsed(tx: Transaction, shortname: string): Promise<boolean> {
  const links = tx.sql.selectFrom('artifact_link').select('source_id').where('type', '=', shortname);
  const indexed = links.where(sql<SqlBool>`type <> '' and type <> '_is_child'`);
  return (await tx.first(indexed.limit(1))) !== undefined;
}

/** Removes a type that no link has. */
export async function deleteLinkType(
  tx: Transaction,
  viewer: Viewer,
  { shortname }: Pick<LinkType, 'shortname'>,
): Promise<void> {
  requireSiteAdministrator(viewer);
  const type = (await listLinkTypes(tx)).find((candidate) => candidate.shortname === shortname);
  if (type === undefined) throw notFound('There is no such type of links.');
  if (isSystemType(type)) throw invalid('The types of the platform stay as they are.');
  if (await isUsed(tx, shortname)) throw invalid('There are links of this type: it cannot be deleted.');
  await tx.run(tx.sql.deleteFrom('link_type').where('shortname', '=', shortname));
  await tx.touch('structure');
}

/** Replaces the types that the project switched off. */
export async function setDisabledLinkTypes(
  tx: Transaction,
  viewer: Viewer,
  { projectId, shortnames }: { projectId: number; shortnames: readonly string[] },
): Promise<void> {
  await lockTrackersOf(tx, projectId);
  const project = await requireProjectAccess(tx, viewer, projectId, 'project');
  requireProjectWritable(project);
  if (!project.isAdmin) throw forbidden('Only project administrators may do this.');
  const known = new Set((await listLinkTypes(tx)).map(({ shortname }) => shortname));
  const unknown = shortnames.find((shortname) => !known.has(shortname));
  if (unknown !== undefined)
    throw invalidMember('shortnames', `There is no type of links named ${JSON.stringify(unknown)}.`);
  await tx.run(tx.sql.deleteFrom('disabled_link_type').where('project_id', '=', projectId));
  const rows = [...new Set(shortnames)].map((shortname) => ({ project_id: projectId, shortname }));
  if (rows.length > 0) await tx.run(tx.sql.insertInto('disabled_link_type').values(rows));
  await tx.touch('structure');
}
