import { type Reader, ReadsTogether, statement, type Tables } from '../storage/index.ts';
import { type GovernanceRows, governanceRows } from './governance-rows.ts';

/** The rows from which a tracker is put together. */
export interface TrackerRows extends GovernanceRows {
  readonly tracker: Omit<Tables['tracker'], 'id' | 'kept' | 'deleted_by'> & {
    id: number;
    kept: string;
    project_label: string;
    project_icon: string;
  };
  readonly elements: readonly (Omit<Tables['tracker_field'], 'id'> & { id: number })[];
  readonly values: readonly (Omit<Tables['list_value'], 'id'> & { id: number })[];
  readonly trackerGrants: readonly Tables['tracker_grant'][];
  readonly fieldGrants: readonly Tables['field_grant'][];
  readonly semantics: readonly Tables['semantic'][];
  readonly projectGroups: readonly { id: number; name: string }[];
}

interface OfTracker {
  readonly id: number;
}

const trackerRows = new ReadsTogether({
  tracker: (sql, p: OfTracker) =>
    sql
      .selectFrom('tracker')
      .innerJoin('project', 'project.id', 'tracker.project_id')
      .selectAll('tracker')
      .select(['project.label as project_label', 'project.icon as project_icon'])
      .where('tracker.id', '=', p.id),

  elements: (sql, p: OfTracker) =>
    sql
      .selectFrom('tracker_field')
      .selectAll()
      .where('tracker_id', '=', p.id)
      .where('deleted_at', 'is', null),

  values: (sql, p: OfTracker) =>
    sql
      .selectFrom('list_value')
      .innerJoin('tracker_field', 'tracker_field.id', 'list_value.field_id')
      .selectAll('list_value')
      .where('tracker_field.tracker_id', '=', p.id)
      .orderBy('list_value.rank')
      .orderBy('list_value.id'),

  trackerGrants: (sql, p: OfTracker) =>
    sql.selectFrom('tracker_grant').selectAll().where('tracker_id', '=', p.id).orderBy('group_id'),

  fieldGrants: (sql, p: OfTracker) =>
    sql
      .selectFrom('field_grant')
      .innerJoin('tracker_field', 'tracker_field.id', 'field_grant.field_id')
      .selectAll('field_grant')
      .where('tracker_field.tracker_id', '=', p.id)
      .orderBy('field_grant.group_id'),

  semantics: (sql, p: OfTracker) => sql.selectFrom('semantic').selectAll().where('tracker_id', '=', p.id),

  projectGroups: (sql, p: OfTracker) => {
    const project = sql.selectFrom('tracker').select('project_id').where('id', '=', p.id);
    return sql
      .selectFrom('user_group')
      .select(['id', 'name'])
      .where('project_id', '=', project)
      .orderBy('id');
  },

  ...governanceRows,
});

const removedRows = statement((sql, p: OfTracker) =>
  sql
    .selectFrom('tracker_field')
    .selectAll()
    .where('tracker_id', '=', p.id)
    .where('deleted_at', 'is not', null),
);

export async function findTrackerRows(reader: Reader, id: number): Promise<TrackerRows | undefined> {
  const { tracker: found, ...rows } = await trackerRows.find(reader, { id });
  const [tracker] = found;
  return tracker && { ...rows, tracker };
}

/** The same for what was removed from the form. */
export async function findRemovedRows(reader: Reader, id: number): Promise<TrackerRows | undefined> {
  const rows = await findTrackerRows(reader, id);
  return rows && { ...rows, elements: await reader.all(removedRows, { id }) };
}

/** The tracker that a form element belongs to; undefined when there is no such element (any more). */
export async function findTrackerOf(reader: Reader, fieldId: number): Promise<number | undefined> {
  const query = reader.sql.selectFrom('tracker_field').select('tracker_id').where('deleted_at', 'is', null);
  return (await reader.first(query.where('id', '=', fieldId)))?.tracker_id;
}

/** The tracker of a project with this short name; undefined when there is none. */
export async function findTrackerNamed(
  reader: Reader,
  projectId: number,
  itemName: string,
): Promise<number | undefined> {
  const query = reader.sql.selectFrom('tracker').select('id').where('project_id', '=', projectId);
  const named = query.where('item_name_key', '=', itemName.toLowerCase()).where('deleted_at', 'is', null);
  return (await reader.first(named))?.id;
}
