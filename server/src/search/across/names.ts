import { invalid, type Refusal } from '../../kernel/errors.ts';
import {
  type AlwaysThere,
  type Family,
  type Field,
  fieldTypes,
  type TrackerView,
} from '../../trackers/index.ts';

/** A field as it is in one of the trackers that a query looks through. */
export interface FieldPlace {
  readonly view: TrackerView;
  readonly field: Field;
}

/** Names of what the semantics of trackers tell. */
export const semanticNames = {
  '@title': 'title',
  '@description': 'description',
  '@status': 'status',
  '@assigned_to': 'contributor',
} as const;
export type QuerySemantic = keyof typeof semanticNames;
export const isSemanticName = (name: string): name is QuerySemantic => Object.hasOwn(semanticNames, name);

export type AlwaysThereName = AlwaysThere['name'];

/** What every artifact has, as the types of fields tell that show it. */
const alwaysThere = new Map<string, Field['type']>(
  [...fieldTypes.values()].flatMap((type) => (type.alwaysThere ? [[type.alwaysThere.name, type]] : [])),
);
export const isAlwaysThere = (name: string): name is AlwaysThereName => alwaysThere.has(name);

/** Stands for what is always there where a field is asked for: it has a name and nothing else. */
export function standIn(name: AlwaysThereName): Field {
  const type = alwaysThere.get(name);
  if (type === undefined) throw new Error(`No field shows ${name}.`);
  return {
    id: 0,
    trackerId: 0,
    projectId: 0,
    parentId: null,
    type,
    name,
    label: name,
    description: '',
    rank: 0,
    isRequired: false,
    isUsed: true,
    hasNotifications: false,
    properties: {},
    bind: null,
    grants: { read: [], submit: [], update: [] },
    head: '',
  };
}

/** Whether the tracker tells it to the viewer: a field that shows it and that they may not read hides it. */
export const tellsAlwaysThere = ({ tracker, canRead }: TrackerView, name: AlwaysThereName): boolean =>
  tracker.elements.every((field) => field.type.alwaysThere?.name !== name || !field.isUsed || canRead(field));

/** The readable fields of this short name, one in each tracker that has one. */
export function placesOf(views: readonly TrackerView[], name: string): FieldPlace[] {
  return views.flatMap((view) => {
    const field = fieldIn(view, name);
    return field === undefined ? [] : { view, field };
  });
}

/** Fields by their short names, and by these in small letters. */
interface FieldNames {
  readonly exact: ReadonlyMap<string, Field>;
  readonly small: ReadonlyMap<string, Field>;
}

/** A query asks for every name in hundreds of trackers; a view never changes. */
const namesIn = new WeakMap<TrackerView, FieldNames>();

function namesOf(view: TrackerView): FieldNames {
  const known = namesIn.get(view);
  if (known !== undefined) return known;
  // Of several that are alike the first one counts, and so it comes last here.
  const fields = view.readable.filter(({ type }) => type.kind === 'field').reverse();
  const names = {
    exact: new Map(fields.map((field) => [field.name, field])),
    small: new Map(fields.map((field) => [field.name.toLowerCase(), field])),
  };
  namesIn.set(view, names);
  return names;
}

/** The readable field of this short name, exact or but for letter case. */
export function fieldIn(view: TrackerView, name: string): Field | undefined {
  const { exact, small } = namesOf(view);
  return exact.get(name) ?? small.get(name.toLowerCase());
}

/** The readable field that has a meaning in its tracker. */
export function semanticField({ tracker, canRead }: TrackerView, name: QuerySemantic): Field | undefined {
  const field = tracker.elementById.get(tracker.semantics[semanticNames[name]]?.fieldId ?? 0);
  return field?.isUsed && canRead(field) ? field : undefined;
}

export function semanticPlaces(views: readonly TrackerView[], name: QuerySemantic): FieldPlace[] {
  return views.flatMap((view) => {
    const field = semanticField(view, name);
    return field === undefined ? [] : { view, field };
  });
}

function refusalOf({ name, type }: Field): Refusal {
  if (type.alwaysThere !== undefined)
    return invalid(`The field '${name}' is not supported here. Use ${type.alwaysThere.name} instead.`);
  return invalid(
    `The field '${name}' is not supported. Queries over several trackers cannot use fields of its type.`,
  );
}

/** Some clauses make fewer differences than others. */
export type FamilyLikeness = (family: Family) => string;

/** The family of the fields of one name; refuses those that have nothing in common, and those that have none. */
export function familyOf(
  name: string,
  places: readonly FieldPlace[],
  alike: FamilyLikeness = (family) => family,
): Family | undefined {
  const families = places.map(({ field }) => {
    if (field.type.across === undefined) throw refusalOf(field);
    return field.type.across.family(field);
  });
  if (new Set(families.map(alike)).size > 1)
    throw invalid(
      `The field '${name}' has different types in the trackers: ${[...new Set(families)].join(', ')}. These types cannot be compared with each other.`,
    );
  return families[0];
}
