import { fold } from '../../kernel/text.ts';
import { builtInGroups } from '../../projects/index.ts';
import { type Transaction, toFlag } from '../../storage/index.ts';
import { loadTracker } from '../compile.ts';
import { candidatesAmong } from '../lists/index.ts';
import {
  type Bind,
  type Field,
  type ListValue,
  noneValue,
  type StoredBind,
  submitters,
  type Tracker,
} from '../model.ts';
import { type CopiedIds, copyGovernance } from '../workflow/index.ts';

/** What stands for what outside the tracker that is copied; undefined where there is nothing of the kind. */
export interface Counterparts {
  group(id: number): number | undefined;
  /** Another tracker that this one names. */
  tracker(id: number): number | undefined;
  /** People stay the defaults of lists, whether or not they can be chosen there. */
  readonly keepsPeople?: true;
}

/** Groups of a project by what those of another are called there. */
export function groupsByName(from: Tracker, to: Tracker): Counterparts['group'] {
  if (from.project.id === to.project.id) return (id) => id;
  const ids = new Map([...to.projectGroups].map(([id, name]) => [fold(name), id]));
  return (id) => {
    const name = from.projectGroups.get(id);
    return name === undefined ? undefined : ids.get(fold(name));
  };
}

const mapped = (ids: readonly number[], of: (id: number) => number | undefined) =>
  ids.flatMap((id) => of(id) ?? []);

/** Copies one tracker into another that has no form yet. */
class Copy {
  readonly #tx: Transaction;
  readonly #from: Tracker;
  readonly #to: Tracker;
  readonly #others: Counterparts;
  readonly #fields = new Map<number, number>();
  readonly #values = new Map<number, number>();

  constructor(tx: Transaction, from: Tracker, to: Tracker, others: Counterparts) {
    this.#tx = tx;
    this.#from = from;
    this.#to = to;
    this.#others = others;
  }

  field(id: number): number | undefined {
    return this.#fields.get(id);
  }

  value(fieldId: number, id: number): number | undefined {
    const isPerson = this.#from.elementById.get(fieldId)?.bind?.kind === 'users';
    return isPerson || id === noneValue ? id : this.#values.get(id);
  }

  group(id: number): number | undefined {
    return id === submitters || builtInGroups.has(id) ? id : this.#others.group(id);
  }

  async run(): Promise<void> {
    await this.#reserveIds();
    await this.#copyElements();
    await this.#copyValues();
    await this.#copyGrants();
    await this.#copySemantics();
    await copyGovernance(this.#tx, this.#from, this.#to.id, {
      field: (id) => this.field(id),
      value: (fieldId, id) => this.value(fieldId, id),
      group: (id) => this.group(id),
    });
  }

  /** Values of a list that its copy has as well: groups that the other project does not have are none. */
  #valuesOf({ bind }: Field): readonly ListValue[] {
    return (bind?.values ?? []).filter(
      ({ groupId }) => groupId === null || this.group(groupId) !== undefined,
    );
  }

  async #reserveIds(): Promise<void> {
    const { elements } = this.#from;
    const values = elements.flatMap((field) => this.#valuesOf(field));
    const fieldIds = await this.#tx.newIds('tracker_field', elements.length);
    const valueIds = await this.#tx.newIds('list_value', values.length);
    for (const [index, { id }] of elements.entries()) this.#fields.set(id, fieldIds[index] ?? 0);
    for (const [index, { id }] of values.entries()) this.#values.set(id, valueIds[index] ?? 0);
  }

  async #bindOf({ id, bind }: Field): Promise<string | null> {
    if (bind === null) return null;
    const groups = mapped(bind.groups, (group) => this.group(group));
    const copy: StoredBind = {
      kind: bind.kind,
      groups,
      isAlphabetic: bind.isAlphabetic,
      defaults: await this.#defaultsOf(id, bind, groups),
      noneColor: bind.noneColor,
    };
    return JSON.stringify(copy);
  }

  #defaultsOf(fieldId: number, { kind, defaults }: Bind, groups: readonly number[]) {
    if (kind === 'users' && this.#others.keepsPeople) return Promise.resolve([...defaults]);
    if (kind === 'users') return candidatesAmong(this.#tx, this.#to, groups, defaults);
    return Promise.resolve(mapped(defaults, (id) => this.value(fieldId, id)));
  }

  async #copyElements(): Promise<void> {
    const rows = [];
    // In the order of the form, so that containers come before what is in them.
    for (const field of this.#from.elements)
      rows.push([
        this.field(field.id) ?? 0,
        this.#to.id,
        field.parentId === null ? null : (this.field(field.parentId) ?? null),
        field.type.code,
        field.name,
        field.label,
        field.description,
        field.rank,
        toFlag(field.isRequired),
        toFlag(field.isUsed),
        toFlag(field.hasNotifications),
        JSON.stringify(field.properties),
        await this.#bindOf(field),
      ] as const);
    await this.#tx.insertMany('tracker_field', elementColumns, rows);
  }

  async #copyValues(): Promise<void> {
    const rows = this.#from.elements.flatMap((field) =>
      this.#valuesOf(field).map(
        (value) =>
          [
            this.#values.get(value.id) ?? 0,
            this.field(field.id) ?? 0,
            value.label,
            value.description,
            value.rank,
            toFlag(value.isHidden),
            value.color,
            value.groupId === null ? null : (this.group(value.groupId) ?? null),
          ] as const,
      ),
    );
    await this.#tx.insertMany('list_value', valueColumns, rows);
  }

  async #copyGrants(): Promise<void> {
    const granted = (grants: Readonly<Record<string, readonly number[]>>) =>
      Object.entries(grants).flatMap(([permission, groups]) =>
        mapped(groups, (id) => this.group(id)).map((group) => [permission, group] as const),
      );
    await this.#tx.insertMany(
      'tracker_grant',
      trackerGrantColumns,
      granted(this.#from.grants).map((grant) => [this.#to.id, ...grant] as const),
    );
    const onFields = this.#from.elements.flatMap(({ id, grants }) =>
      granted(grants).map((grant) => [this.field(id) ?? 0, ...grant] as const),
    );
    await this.#tx.insertMany('field_grant', fieldGrantColumns, onFields);
  }

  /** One member of a semantic; undefined when it names something that the copy does not have. */
  #semanticMember(member: string, value: unknown): unknown {
    const ids = [value].flat().map(Number);
    const statusField = this.#from.semantics.status?.fieldId ?? 0;
    if (/[fF]ieldId$/.test(member)) return this.field(Number(value));
    if (member === 'fieldIds') return mapped(ids, (id) => this.field(id));
    if (member === 'openIds' || member === 'valueIds')
      return mapped(ids, (id) => this.value(statusField, id));
    return member === 'impliedFromTrackerId' ? this.#others.tracker(Number(value)) : value;
  }

  async #copySemantics(): Promise<void> {
    const rows = Object.entries(this.#from.semantics).flatMap(([name, semantic]) => {
      const members = Object.entries(semantic).map(([member, value]): [string, unknown] => [
        member,
        this.#semanticMember(member, value),
      ]);
      if (members.some(([, value]) => value === undefined)) return [];
      return [[this.#to.id, name, JSON.stringify(Object.fromEntries(members))] as const];
    });
    await this.#tx.insertMany('semantic', ['tracker_id', 'name', 'settings'], rows);
  }
}

const elementColumns = [
  'id',
  'tracker_id',
  'parent_id',
  'type',
  'name',
  'label',
  'description',
  'rank',
  'is_required',
  'is_used',
  'has_notifications',
  'properties',
  'bind',
] as const;
const valueColumns = [
  'id',
  'field_id',
  'label',
  'description',
  'rank',
  'is_hidden',
  'color',
  'group_id',
] as const;
const trackerGrantColumns = ['tracker_id', 'permission', 'group_id'] as const;
const fieldGrantColumns = ['field_id', 'permission', 'group_id'] as const;

/** Gives a tracker without fields and grants the form, the permissions, the semantics and the workflow of another. */
export async function copyStructure(
  tx: Transaction,
  from: Tracker,
  trackerId: number,
  othersFor: (to: Tracker) => Counterparts,
): Promise<CopiedIds> {
  const to = await loadTracker(tx, trackerId);
  if (to === undefined) throw new Error('There is no tracker to copy into.');
  const copy = new Copy(tx, from, to, othersFor(to));
  await copy.run();
  return copy;
}
