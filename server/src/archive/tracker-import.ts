import { fold } from '../kernel/text.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { attributeOf, childOf, childrenOf, listedIn, textOf, type XmlElement } from '../kernel/xml.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import {
  type CopiedIds,
  type FieldValue,
  insertStructure,
  insertTriggers,
  setParent,
  type Trigger,
} from '../trackers/index.ts';
import { found } from './keys.ts';
import { type ArchiveWarning, archiveFault, placeWords } from './model.ts';
import type { ArchivedPeople } from './people.ts';
import { readTracker, type TrackerDraft } from './tracker-reader.ts';

/** A tracker of an archive that shall be made. */
export interface TrackerToImport {
  readonly projectId: number;
  /** Without its artifacts. */
  readonly element: XmlElement;
  readonly people: ArchivedPeople;
  /** The trackers that were made before, by what the archive calls them. */
  readonly trackerIds: Readonly<Record<string, number>>;
  /** Groups beside those of the project, by name: of the project that it goes to in the end. */
  readonly groups?: Readonly<Record<string, number>>;
  /** The file that it is read from; `project.xml` unless said. */
  readonly file?: string | undefined;
}

/** What became of a tracker. */
export interface ImportedTracker {
  readonly id: number;
  /** Ids of form elements and of list values, by what the archive calls them. */
  readonly fields: Readonly<Record<string, number>>;
  readonly values: Readonly<Record<string, number>>;
  readonly warnings: readonly ArchiveWarning[];
}

async function groupNames(reader: Reader, projectId: number): Promise<string[]> {
  const query = reader.sql.selectFrom('user_group').select('name').where('project_id', '=', projectId);
  return (await reader.all(query.orderBy('id'))).map(({ name }) => name);
}

/** No two trackers of a project have the same name or the same short name. */
async function refuseTaken(
  reader: Reader,
  projectId: number,
  file: string,
  { tracker, line }: TrackerDraft,
): Promise<void> {
  const query = reader.sql.selectFrom('tracker').select(['name_key', 'item_name_key', 'deleted_at']);
  const others = await reader.all(query.where('project_id', '=', projectId));
  const isNamed = others.some((other) => other.deleted_at === null && other.name_key === fold(tracker.name));
  if (isNamed) throw archiveFault(file, line, `There is another tracker with the name ${tracker.name}.`);
  const key = tracker.itemName.toLowerCase();
  if (others.some(({ item_name_key }) => item_name_key === key))
    throw archiveFault(file, line, `There is another tracker with the short name ${tracker.itemName}.`);
}

function newFields({ fields }: TrackerDraft, ids: CopiedIds): Record<string, number> {
  return Object.fromEntries([...fields].map(([key, number]) => [key, ids.field(number) ?? 0]));
}

/** Values are found by the field that they belong to. */
function newValues({ tracker, items }: TrackerDraft, ids: CopiedIds): Record<string, number> {
  const values: Record<string, number> = {};
  const keys = new Map([...items].map(([key, number]) => [number, key]));
  for (const { id: fieldId, bind } of tracker.elements)
    for (const { id } of bind?.values ?? []) {
      const key = keys.get(id);
      const made = ids.value(fieldId, id);
      if (key !== undefined && made !== undefined) values[key] = made;
    }
  return values;
}

/** Makes a tracker with all its structure; its place in the hierarchy and its triggers come with `tieTrackers`. */
export async function importTracker(
  tx: Transaction,
  _: Viewer,
  { projectId, element, people, trackerIds, groups: others = {}, file = 'project.xml' }: TrackerToImport,
): Promise<ImportedTracker> {
  const warnings: ArchiveWarning[] = [];
  const groups = [...(await groupNames(tx, projectId)), ...Object.keys(others)];
  const draft = readTracker(element, { file, people, groups, warn: (warning) => warnings.push(warning) });
  await refuseTaken(tx, projectId, file, draft);
  const lenderId = draft.lenderKey === undefined ? undefined : found(trackerIds, draft.lenderKey);
  const { id, ids } = await insertStructure(tx, {
    projectId,
    draft: draft.tracker,
    lenderId,
    groups: others,
    reports: draft.reports,
  });
  return { id, fields: newFields(draft, ids), values: newValues(draft, ids), warnings };
}

/** Trackers that were made, by what the archive calls them. */
export interface Ties {
  readonly trackers: Readonly<Record<string, ImportedTracker>>;
  /** The key of the parent of each tracker that has one. */
  readonly parents: Readonly<Record<string, string>>;
  /** Where each tracker stands, by its key. */
  readonly lines?: Readonly<Record<string, number>>;
  /** The element `triggers` of the archive. */
  readonly triggers: XmlElement | undefined;
}

/** Whether a tracker is above itself. */
function isCircular(parents: Ties['parents'], key: string): boolean {
  const seen = new Set<string>();
  for (let next: string | undefined = key; next !== undefined; next = found(parents, next)) {
    if (seen.has(next)) return true;
    seen.add(next);
  }
  return false;
}

function referredValue(element: XmlElement | undefined, { fields, values }: ImportedTracker) {
  const [field, value] = ['field_id', 'field_value_id'].map((name) => element && childOf(element, name));
  const fieldId = field && found(fields, attributeOf(field, 'REF') ?? '');
  const valueId = value && found(values, attributeOf(value, 'REF') ?? '');
  return fieldId === undefined || valueId === undefined ? undefined : { fieldId, valueId };
}

/** A value of any tracker of the archive; undefined also where several trackers have what is named. */
function findValue(element: XmlElement | undefined, trackers: Ties['trackers']) {
  const named = Object.values(trackers).flatMap((tracker) => {
    const value = referredValue(element, tracker);
    return value === undefined ? [] : { trackerId: tracker.id, value };
  });
  return named.length === 1 ? named[0] : undefined;
}

function readTrigger(rule: XmlElement, trackers: Ties['trackers']) {
  const target = findValue(childOf(rule, 'target'), trackers);
  const children = listedIn(rule, 'triggers', 'trigger').map(
    (element) => findValue(element, trackers)?.value,
  );
  const known = children.filter((child): child is FieldValue => child !== undefined);
  if (target === undefined || known.length === 0 || known.length < children.length) return undefined;
  const trigger: Omit<Trigger, 'id'> = {
    needsAll: textOf(rule, 'condition').trim() === 'all_of',
    target: target.value,
    children: known,
  };
  return { trackerId: target.trackerId, trigger };
}

async function tieParents(
  tx: Transaction,
  { trackers, parents }: Ties,
  warn: (text: string, key: string) => void,
) {
  for (const [key, parentKey] of Object.entries(parents)) {
    const [child, parent] = [found(trackers, key), found(trackers, parentKey)];
    if (child === undefined) continue;
    if (parent === undefined) warn(`Its parent ${parentKey} is not in the archive.`, key);
    else if (isCircular(parents, key)) warn('It would be above itself in the hierarchy.', key);
    else await setParent(tx, child.id, parent.id);
  }
}

/** Puts trackers below their parents and lets children set values of these: after all artifacts are there. */
export async function tieTrackers(
  tx: Transaction,
  _: Viewer,
  ties: Ties,
): Promise<readonly ArchiveWarning[]> {
  const warnings: ArchiveWarning[] = [];
  await tieParents(tx, ties, (text, key) =>
    warnings.push({
      code: 'unknown_reference',
      place: `trackers/${placeWords('tracker', key)}`,
      line: ties.lines?.[key] ?? 1,
      text,
    }),
  );
  for (const rule of ties.triggers === undefined ? [] : childrenOf(ties.triggers, 'trigger_rule')) {
    const found = readTrigger(rule, ties.trackers);
    if (found !== undefined) await insertTriggers(tx, found.trackerId, [found.trigger]);
    else
      warnings.push({
        code: 'unknown_reference',
        place: 'trackers/triggers/trigger_rule',
        line: rule.line,
        text: 'A trigger names a field or a value that does not exist, or that several trackers have.',
      });
  }
  return warnings;
}
