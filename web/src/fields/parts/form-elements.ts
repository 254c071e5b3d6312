import type { BodyOf, createField, FieldSettings } from '@atelier/client/routes';
import type { IconName } from '../../ui/index.ts';
import type { Field } from '../model.ts';

/** A setting that only some types have. */
export type PropertyKind = 'number' | 'text' | 'area' | 'html' | 'switch' | 'day' | 'today';

export interface FormProperty {
  readonly name: string;
  readonly kind: PropertyKind;
}

/** What an administrator must know about a type to build forms of it. */
export interface FormElementType {
  readonly code: string;
  readonly icon: IconName;
  readonly kind: 'field' | 'container' | 'static';
  /** Types of containers that it may stand in; null for the form itself. */
  readonly parents: readonly (string | null)[];
  /** Whether a tracker has one at the most. */
  readonly isUnique: boolean;
  /** Whether people fill it in: only then can it be required. */
  readonly isFilled: boolean;
  readonly isUpdated: boolean;
  readonly properties: readonly FormProperty[];
}

const anywhere = ['column', 'fieldset', null] as const;

type Particulars = Partial<Omit<FormElementType, 'code' | 'icon'>>;

const type = (code: string, icon: IconName, particulars: Particulars = {}): FormElementType => ({
  code,
  icon,
  kind: 'field',
  parents: anywhere,
  isUnique: false,
  isFilled: true,
  isUpdated: true,
  properties: [],
  ...particulars,
});

const told: Particulars = { isFilled: false, isUpdated: false };
const still: Particulars = { ...told, kind: 'static' };
const numberProperties: readonly FormProperty[] = [
  { name: 'default_value', kind: 'number' },
  { name: 'maxchars', kind: 'number' },
  { name: 'size', kind: 'number' },
];

const types = [
  type('string', 'cursor-text', {
    properties: [
      { name: 'default_value', kind: 'text' },
      { name: 'maxchars', kind: 'number' },
      { name: 'size', kind: 'number' },
    ],
  }),
  type('text', 'align-left', {
    properties: [
      { name: 'default_value', kind: 'area' },
      { name: 'rows', kind: 'number' },
      { name: 'cols', kind: 'number' },
    ],
  }),
  type('int', 'number-123', { properties: numberProperties }),
  type('float', 'decimal', { properties: numberProperties }),
  type('date', 'calendar', {
    properties: [
      { name: 'default_value_type', kind: 'today' },
      { name: 'default_value', kind: 'day' },
      { name: 'display_time', kind: 'switch' },
    ],
  }),
  type('sb', 'list'),
  type('msb', 'list-check'),
  type('rb', 'circle-dot'),
  type('cb', 'checkbox'),
  type('tbl', 'tags', { properties: [{ name: 'hint', kind: 'text' }] }),
  type('file', 'paperclip'),
  type('art_link', 'link', {
    isUnique: true,
    properties: [{ name: 'can_edit_reverse_links', kind: 'switch' }],
  }),
  type('computed', 'sum', { properties: [{ name: 'default_value', kind: 'number' }] }),
  type('perm', 'lock', { isUnique: true }),
  type('aid', 'hash', told),
  type('atid', 'hash', told),
  type('priority', 'arrows-up-down', told),
  type('subby', 'user-plus', told),
  type('subon', 'calendar-plus', told),
  type('luby', 'user-edit', told),
  type('lud', 'calendar-event', told),
  type('cross', 'corner-down-right', told),
  type('burndown', 'chart-line', { ...told, isUnique: true }),
  type('fieldset', 'container', { ...told, kind: 'container', parents: [null] }),
  type('column', 'columns', { ...told, kind: 'container', parents: ['fieldset'] }),
  type('separator', 'separator-horizontal', still),
  type('linebreak', 'spacing-vertical', still),
  type('staticrichtext', 'info-square', {
    ...still,
    properties: [{ name: 'static_value', kind: 'html' }],
  }),
];

const byCode: ReadonlyMap<string, FormElementType> = new Map(types.map((one) => [one.code, one]));

/** What is known about a type, also one that nobody has heard of. */
export const formElementType = (code: string): FormElementType =>
  byCode.get(code) ?? type(code, 'puzzle', told);

export type NewElement = Pick<
  BodyOf<typeof createField>,
  'type' | 'bind' | 'required' | 'has_notifications' | 'specific_properties'
>;

/** Something that can be added to a form. */
export interface AddableElement {
  readonly id: string;
  readonly section: 'add' | 'facts' | 'arrange';
  readonly icon: IconName;
  readonly body: NewElement;
}

function addable(
  section: AddableElement['section'],
  code: string,
  more: Partial<Pick<AddableElement, 'id' | 'icon'>> & { readonly body?: Partial<NewElement> } = {},
): AddableElement {
  const { id = code, icon = formElementType(code).icon, body = {} } = more;
  return { id, section, icon, body: { ...body, type: code } };
}

/** All that can be added, in the order in which it is offered. */
export const addableElements: readonly AddableElement[] = [
  addable('add', 'string'),
  addable('add', 'text'),
  addable('add', 'int'),
  addable('add', 'float'),
  addable('add', 'date'),
  addable('add', 'sb', { body: { bind: { type: 'static' } } }),
  addable('add', 'msb', { body: { bind: { type: 'static' } } }),
  addable('add', 'rb', { body: { bind: { type: 'static' } } }),
  addable('add', 'cb', { body: { bind: { type: 'static' } } }),
  addable('add', 'tbl', { body: { bind: { type: 'static' } } }),
  addable('add', 'sb', {
    id: 'person',
    icon: 'user',
    body: { bind: { type: 'users' }, has_notifications: true },
  }),
  addable('add', 'msb', {
    id: 'people',
    icon: 'users',
    body: { bind: { type: 'users' }, has_notifications: true },
  }),
  addable('add', 'msb', { id: 'groups', icon: 'users-group', body: { bind: { type: 'ugroups' } } }),
  addable('add', 'file'),
  addable('add', 'art_link'),
  addable('add', 'computed'),
  addable('add', 'perm'),
  addable('facts', 'aid'),
  addable('facts', 'atid'),
  addable('facts', 'priority'),
  addable('facts', 'subby'),
  addable('facts', 'subon'),
  addable('facts', 'luby'),
  addable('facts', 'lud'),
  addable('facts', 'cross'),
  addable('facts', 'burndown'),
  addable('arrange', 'fieldset'),
  addable('arrange', 'column'),
  addable('arrange', 'separator'),
  addable('arrange', 'linebreak'),
  addable('arrange', 'staticrichtext'),
];

/** What most forms begin with. */
export const newElements = {
  group: { type: 'fieldset' },
  line: { type: 'string' },
  text: { type: 'text' },
  choice: { type: 'sb' },
  person: { type: 'sb', bind: { type: 'users' }, has_notifications: true },
  files: { type: 'file' },
  links: { type: 'art_link' },
} as const satisfies Readonly<Record<string, NewElement>>;

/** How steps of a workflow name the kind of a field that they set; undefined where they cannot. */
export function actionTypeOf(code: string | undefined): 'date' | 'int' | 'float' | undefined {
  return code === 'date' || code === 'int' || code === 'float' ? code : undefined;
}

/** Which of the names of addable elements an element goes by: a list of people is not called a list. */
export function elementName({ type: code, bind }: Pick<FieldSettings, 'type' | 'bind'>): string {
  if (bind?.type === 'users' && code === 'sb') return 'person';
  if (bind?.type === 'users' && code === 'msb') return 'people';
  if (bind?.type === 'ugroups' && code === 'msb') return 'groups';
  return code;
}

/** Kinds of fields that a semantic, a rule or an action can rest on. */
export const fieldsFor = {
  title: ['string', 'text'],
  description: ['text'],
  status: ['sb', 'rb', 'msb', 'cb'],
  contributor: ['sb', 'msb', 'rb', 'cb'],
  date: ['date'],
  amount: ['int', 'float', 'computed'],
  number: ['int', 'float'],
  workflow: ['sb', 'rb'],
  dependency: ['sb', 'msb', 'rb', 'cb'],
  trigger: ['sb', 'rb', 'msb', 'cb'],
} as const;

/** An element as forms draw it, from what its administrators know. */
export function fieldOfSettings(settings: FieldSettings): Field {
  const { bind } = settings;
  const type = bind?.type;
  const defaults = new Set(bind?.default_values ?? []);
  const values =
    bind === null || type === 'users'
      ? null
      : bind.values.map(({ id, label, color, is_hidden, ugroup_id }) =>
          ugroup_id === null
            ? { id, label, value_color: color ?? '', is_hidden }
            : { id, label, ugroup_reference: { id: ugroup_id, label, short_name: label } },
        );
  const { default_value: initial = null } = settings.specific_properties;
  return {
    field_id: settings.field_id,
    label: settings.label,
    name: settings.name,
    type: settings.type,
    values,
    required: settings.required,
    collapsed: false,
    bindings: { type: type === 'static' || type === 'users' || type === 'ugroups' ? type : null, list: [] },
    permissions: ['read', 'update', 'create'],
    permissions_for_groups: settings.permissions_for_groups,
    default_value: bind === null ? initial : values?.filter(({ id }) => defaults.has(String(id))),
    has_notifications: settings.has_notifications,
    is_used: settings.is_used,
    description: settings.description,
    specific_properties: settings.specific_properties,
    label_decorators: [],
  };
}
