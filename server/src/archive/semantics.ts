import { attributeOf, childOf, childrenOf, element, listedIn, type XmlElement } from '../kernel/xml.ts';
import {
  type ListValue,
  noneValue,
  type SemanticName,
  type Semantics,
  type Tracker,
} from '../trackers/index.ts';
import { fieldKey, trackerKey, valueKey } from './keys.ts';
import type { WarningCode } from './model.ts';

/** Words that other platforms want to find beside these semantics. */
const words: Readonly<Partial<Record<SemanticName, readonly [label: string, description: string]>>> = {
  title: ['Title', 'Define the title of an artifact'],
  description: ['Description', 'Define the description of an artifact'],
  status: ['Status', 'Define the status of an artifact'],
  contributor: ['Contributor/assignee', 'Define the contributor/assignee of an artifact'],
  done: ['Done', 'Define the done values of an artifact'],
  initial_effort: ['Initial effort', 'Define the initial effort of an artifact'],
};

function semantic(type: SemanticName, content: readonly XmlElement[]): XmlElement {
  const [label, description] = words[type] ?? [];
  const texts =
    label === undefined || description === undefined
      ? []
      : [
          element('shortname', {}, type),
          element('label', {}, label),
          element('description', {}, description),
        ];
  return element('semantic', { type }, [...texts, ...content]);
}

const fieldElement = (id: number, name = 'field') => element(name, { REF: fieldKey(id) });

/** Values of a list: those of people cannot be written. */
function valueElements(list: string, name: string, ids: readonly number[]): XmlElement {
  const values = ids.filter((id) => id !== noneValue).map((id) => element(name, { REF: valueKey(id) }));
  return element(list, {}, values);
}

function timeframe(settings: NonNullable<Semantics['timeframe']>): XmlElement[] {
  if ('impliedFromTrackerId' in settings)
    return [element('inherited_from_tracker', { id: trackerKey(settings.impliedFromTrackerId) })];
  const start = fieldElement(settings.startFieldId, 'start_date_field');
  return 'durationFieldId' in settings
    ? [start, fieldElement(settings.durationFieldId, 'duration_field')]
    : [start, fieldElement(settings.endFieldId, 'end_date_field')];
}

function progress(settings: NonNullable<Semantics['progress']>): XmlElement[] {
  if ('linkType' in settings) return [element('artifact_link_type', { shortname: settings.linkType })];
  return [
    fieldElement(settings.totalFieldId, 'total_effort_field'),
    fieldElement(settings.remainingFieldId, 'remaining_effort_field'),
  ];
}

const one = ({ fieldId }: { readonly fieldId: number }) => [fieldElement(fieldId)];

/** What stands in the element of each semantic. */
function contents(semantics: Semantics): readonly (readonly [SemanticName, XmlElement[] | undefined])[] {
  const { title, description, status, contributor, done, tooltip, initial_effort: effort } = semantics;
  return [
    ['title', title && one(title)],
    ['description', description && one(description)],
    [
      'status',
      status && [fieldElement(status.fieldId), valueElements('open_values', 'open_value', status.openIds)],
    ],
    ['contributor', contributor && one(contributor)],
    ['done', done && [valueElements('closed_values', 'closed_value', done.valueIds)]],
    ['tooltip', tooltip?.fieldIds.map((id) => fieldElement(id))],
    ['timeframe', semantics.timeframe && timeframe(semantics.timeframe)],
    ['progress', semantics.progress && progress(semantics.progress)],
    ['initial_effort', effort && one(effort)],
  ];
}

export function semanticElements({ semantics }: Tracker): XmlElement[] {
  const elements = contents(semantics).flatMap(([name, content]) =>
    content === undefined ? [] : semantic(name, content),
  );
  return elements.length === 0 ? [] : [element('semantics', {}, elements)];
}

/** What semantics in an archive name. */
export interface SemanticReading {
  /** The field that a `REF` means; undefined for what is not in the form. */
  field(reference: XmlElement | undefined): number | undefined;
  value(reference: XmlElement): number | undefined;
  valuesOf(fieldId: number): readonly ListValue[];
  /** A number for the tracker whose timeframe counts here. */
  lender(key: string): number | undefined;
  warn(code: WarningCode, element: XmlElement, text: string): void;
}

function oneField(semantic: XmlElement, context: SemanticReading) {
  const fieldId = context.field(childOf(semantic, 'field'));
  return fieldId === undefined ? undefined : { fieldId };
}

const values = (semantic: XmlElement, list: string, name: string, context: SemanticReading) =>
  listedIn(semantic, list, name).flatMap((value) => context.value(value) ?? []);

function readTimeframe(semantic: XmlElement, context: SemanticReading): Semantics['timeframe'] {
  const lender = childOf(semantic, 'inherited_from_tracker');
  const impliedFromTrackerId = lender && context.lender(attributeOf(lender, 'id') ?? '');
  if (impliedFromTrackerId !== undefined) return { impliedFromTrackerId };
  const [startFieldId, durationFieldId, endFieldId] = [
    'start_date_field',
    'duration_field',
    'end_date_field',
  ].map((name) => context.field(childOf(semantic, name)));
  if (startFieldId === undefined) return undefined;
  if (durationFieldId !== undefined) return { startFieldId, durationFieldId };
  return endFieldId === undefined ? undefined : { startFieldId, endFieldId };
}

function readProgress(semantic: XmlElement, context: SemanticReading): Semantics['progress'] {
  const type = childOf(semantic, 'artifact_link_type');
  if (type !== undefined && attributeOf(type, 'shortname') === '_is_child') return { linkType: '_is_child' };
  const totalFieldId = context.field(childOf(semantic, 'total_effort_field'));
  const remainingFieldId = context.field(childOf(semantic, 'remaining_effort_field'));
  if (totalFieldId === undefined || remainingFieldId === undefined) return undefined;
  return { totalFieldId, remainingFieldId };
}

function readStatus(semantic: XmlElement, context: SemanticReading): Semantics['status'] {
  const fieldId = context.field(childOf(semantic, 'field'));
  if (fieldId === undefined) return undefined;
  const openIds = values(semantic, 'open_values', 'open_value', context);
  return { fieldId, openIds: openIds.length === 0 ? [noneValue] : openIds };
}

/** Done are some of the values that are closed and can still be chosen. */
function readDone(
  semantic: XmlElement,
  { fieldId, openIds }: NonNullable<Semantics['status']>,
  context: SemanticReading,
): Semantics['done'] {
  const closed = context.valuesOf(fieldId).filter(({ id, isHidden }) => !isHidden && !openIds.includes(id));
  const closedIds = new Set(closed.map(({ id }) => id));
  const done = new Set<number>();
  for (const element of listedIn(semantic, 'closed_values', 'closed_value')) {
    const id = context.value(element);
    if (id !== undefined && closedIds.has(id)) done.add(id);
    else if (id !== undefined)
      context.warn(
        'invalid_value',
        element,
        `The value ${attributeOf(element, 'REF')} is no closed value of the status that can be chosen, and does not count as done.`,
      );
  }
  return done.size === 0 ? undefined : { valueIds: [...done] };
}

function readTooltip(semantic: XmlElement, context: SemanticReading): Semantics['tooltip'] {
  const fieldIds = childrenOf(semantic, 'field').flatMap((field) => context.field(field) ?? []);
  return fieldIds.length === 0 ? undefined : { fieldIds };
}

const known: readonly string[] = [
  'title',
  'description',
  'status',
  'contributor',
  'done',
  'tooltip',
  'timeframe',
  'progress',
  'initial_effort',
] satisfies readonly SemanticName[];

/** What the semantics of an archive are here; of those without a field nothing is left. */
export function readSemantics(tracker: XmlElement, context: SemanticReading): Semantics {
  const byType = new Map<string, XmlElement>();
  for (const semantic of listedIn(tracker, 'semantics', 'semantic')) {
    const type = attributeOf(semantic, 'type') ?? '';
    if (known.includes(type)) byType.set(type, semantic);
    else if (type === '') context.warn('skipped_element', semantic, 'A semantic has no type.');
    else context.warn('skipped_element', semantic, `There is no semantic ${type} here.`);
  }
  const read = <T>(name: SemanticName, from: (semantic: XmlElement, context: SemanticReading) => T) => {
    const semantic = byType.get(name);
    return semantic && from(semantic, context);
  };
  const title = read('title', oneField);
  const description = read('description', oneField);
  const status = read('status', readStatus);
  const contributor = read('contributor', oneField);
  const done = status && read('done', (semantic) => readDone(semantic, status, context));
  const tooltip = read('tooltip', readTooltip);
  const timeframe = read('timeframe', readTimeframe);
  const progress = read('progress', readProgress);
  const effort = read('initial_effort', oneField);
  return {
    ...(title && { title }),
    ...(description && { description }),
    ...(status && { status }),
    ...(contributor && { contributor }),
    ...(done && { done }),
    ...(tooltip && { tooltip }),
    ...(timeframe && { timeframe }),
    ...(progress && { progress }),
    ...(effort && { initial_effort: effort }),
  };
}
