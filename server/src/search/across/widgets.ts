import { forbidden, invalidMember, notFound } from '../../kernel/errors.ts';
import type { Page, Slice } from '../../kernel/paging.ts';
import { isAnonymous, type Viewer } from '../../kernel/viewer.ts';
import {
  countsAsAdministrator,
  findProject,
  mayAccess,
  requireProject,
  requireProjectWritable,
} from '../../projects/index.ts';
import type { Reader, Transaction } from '../../storage/index.ts';

/** A place for queries, of a project or of a person. */
export interface Widget {
  readonly id: number;
  readonly title: string;
  /** Null for a widget of a person. */
  readonly projectId: number | null;
  /** Null for a widget of a project. */
  readonly ownerId: number | null;
}

const columns = ['id', 'title', 'project_id as projectId', 'owner_id as ownerId'] as const;
const longestTitle = 255;

const unknown = () => notFound('There is no such search widget.');

async function findWidget(reader: Reader, id: number): Promise<Widget | undefined> {
  if (!Number.isSafeInteger(id)) return undefined;
  return reader.first(reader.sql.selectFrom('search_widget').select(columns).where('id', '=', id));
}

async function accessTo(
  reader: Reader,
  viewer: Viewer,
  { projectId, ownerId }: Widget,
): Promise<'none' | 'reading' | 'writing'> {
  if (projectId === null) return !isAnonymous(viewer) && ownerId === viewer.userId ? 'writing' : 'none';
  const project = await findProject(reader, viewer, projectId);
  if (project === undefined || !mayAccess(viewer, project)) return 'none';
  return countsAsAdministrator(viewer, project) ? 'writing' : 'reading';
}

/** The widget, for those who may read it; to others it does not exist. */
export async function requireWidget(reader: Reader, viewer: Viewer, id: number): Promise<Widget> {
  const widget = await findWidget(reader, id);
  if (widget === undefined || (await accessTo(reader, viewer, widget)) === 'none') throw unknown();
  return widget;
}

/** The widget, locked, for those who may change it: its owner, or the administrators of its project. */
export async function requireWidgetForWriting(tx: Transaction, viewer: Viewer, id: number): Promise<Widget> {
  if (Number.isSafeInteger(id))
    await tx.lock(tx.sql.selectFrom('search_widget').select('id').where('id', '=', id));
  const widget = await findWidget(tx, id);
  if (widget === undefined || (await accessTo(tx, viewer, widget)) !== 'writing') throw unknown();
  if (widget.projectId !== null)
    requireProjectWritable(await requireProject(tx, viewer, widget.projectId, 'project'));
  return widget;
}

/** Widgets of a project; without one, those of the viewer. In the order in which they were made. */
export async function listWidgets(
  reader: Reader,
  viewer: Viewer,
  { projectId, limit, offset }: Page & { readonly projectId: number | undefined },
): Promise<Slice<Widget>> {
  if (projectId !== undefined) await requireProject(reader, viewer, projectId, 'project');
  if (projectId === undefined && isAnonymous(viewer)) return { items: [], size: 0 };
  const widgets = reader.sql.selectFrom('search_widget');
  const own =
    projectId === undefined
      ? widgets.where('owner_id', '=', viewer.userId)
      : widgets.where('project_id', '=', projectId);
  const counted = await reader.first(own.select((row) => row.fn.countAll<number>().as('size')));
  const page = own.select(columns).orderBy('id').limit(limit).offset(offset);
  return { items: await reader.all(page), size: counted?.size ?? 0 };
}

export function checkTitle(title: string): string {
  if ([...title].length > longestTitle)
    throw invalidMember('title', `It must have at most ${longestTitle} characters.`);
  return title;
}

async function requireAdministration(tx: Transaction, viewer: Viewer, projectId: number): Promise<void> {
  const project = await requireProject(tx, viewer, projectId, 'project');
  if (!countsAsAdministrator(viewer, project)) throw forbidden('Only project administrators may do this.');
  requireProjectWritable(project);
}

/** Makes a widget of a project, for its administrators; without a project, one of the viewer. */
export async function createWidget(
  tx: Transaction,
  viewer: Viewer,
  { projectId, title }: { readonly projectId: number | undefined; readonly title: string },
): Promise<Widget> {
  if (projectId !== undefined) await requireAdministration(tx, viewer, projectId);
  const row = {
    project_id: projectId ?? null,
    owner_id: projectId === undefined ? viewer.userId : null,
    title: checkTitle(title),
  };
  const [made] = await tx.all(tx.sql.insertInto('search_widget').values(row).returning(columns));
  if (made === undefined) throw new Error('The new widget has no id.');
  return made;
}

export async function changeWidget(
  tx: Transaction,
  viewer: Viewer,
  { id, title }: { readonly id: number; readonly title: string },
): Promise<Widget> {
  const widget = await requireWidgetForWriting(tx, viewer, id);
  await tx.run(
    tx.sql
      .updateTable('search_widget')
      .set({ title: checkTitle(title) })
      .where('id', '=', id),
  );
  return { ...widget, title };
}

/** Deletes a widget with its queries. */
export async function deleteWidget(tx: Transaction, viewer: Viewer, { id }: { id: number }): Promise<void> {
  await requireWidgetForWriting(tx, viewer, id);
  await tx.run(tx.sql.deleteFrom('search_query').where('widget_id', '=', id));
  await tx.run(tx.sql.deleteFrom('search_widget').where('id', '=', id));
}
