import { attributeOf, childrenOf, isTrue, listedIn, textOf, type XmlElement } from '../kernel/xml.ts';
import type { Field, KeptSettings, NewReport, Tracker } from '../trackers/index.ts';
import { type DraftContext, DraftNumbers } from './draft-numbers.ts';
import { colourNamed, FormReader } from './form-reader.ts';
import { archiveFault } from './model.ts';
import { readPermissions } from './permission-reader.ts';
import { ReportReader } from './report-reader.ts';
import { readSemantics } from './semantics.ts';
import { clipped } from './words.ts';
import { WorkflowReader } from './workflow-reader.ts';

/** A tracker as an archive tells of it. Its ids are numbers of its own. */
export interface TrackerDraft {
  /** What the archive calls it; empty where it has no name. */
  readonly key: string;
  readonly parentKey: string | undefined;
  /** The tracker whose timeframe counts here. */
  readonly lenderKey: string | undefined;
  readonly line: number;
  readonly tracker: Tracker;
  readonly reports: readonly NewReport[];
  /** The numbers of form elements and of list values, by what the archive calls them. */
  readonly fields: ReadonlyMap<string, number>;
  readonly items: ReadonlyMap<string, number>;
}

export interface TrackerSource extends DraftContext {
  /** The file that it is read from, for faults. */
  readonly file: string;
}

const notNone = (key: string | undefined) =>
  key === undefined || key === '' || key === '0' ? undefined : key;

function notificationLevel(element: XmlElement): number {
  const level = attributeOf(element, 'notifications_level');
  if (level !== undefined) return ['1', '2'].includes(level.trim()) ? Number(level) : 0;
  return isTrue(attributeOf(element, 'stop_notification')) ? 1 : 0;
}

function keptSettings(element: XmlElement): KeptSettings {
  const flag = (name: string, byDefault = false) => isTrue(attributeOf(element, name), byDefault);
  const [submitInstructions, browseInstructions] = ['submit_instructions', 'browse_instructions'].map(
    (name) => textOf(element, name),
  );
  const responses = listedIn(element, 'cannedResponses', 'cannedResponse').map((response) => ({
    title: textOf(response, 'title'),
    body: textOf(response, 'body'),
  }));
  const webhooks = listedIn(element, 'webhooks', 'webhook').flatMap((hook) => attributeOf(hook, 'url') ?? []);
  return {
    ...(flag('allow_copy', true) ? {} : { allowsCopy: false }),
    ...(flag('enable_move_artifacts', true) ? {} : { allowsMoving: false }),
    ...(flag('enable_emailgateway') ? { hasMailGateway: true } : {}),
    ...(flag('instantiate_for_new_projects') ? { isForNewProjects: true } : {}),
    ...(flag('log_priority_changes') ? { logsRankChanges: true } : {}),
    ...(flag('is_displayed_in_new_dropdown') ? { isPromoted: true } : {}),
    ...(flag('should_send_event_in_notification') ? { sendsEvents: true } : {}),
    ...(submitInstructions ? { submitInstructions } : {}),
    ...(browseInstructions ? { browseInstructions } : {}),
    ...(responses.length > 0 ? { cannedResponses: responses } : {}),
    ...(webhooks.length > 0 ? { webhooks } : {}),
  };
}

/** Words that every project has references for. */
const reservedNames = ['art', 'artifact', 'tracker'];

function checkNames(file: string, { line }: XmlElement, name: string, itemName: string): void {
  if (name.trim() === '') throw archiveFault(file, line, 'The tracker has no name.');
  if (!/^[a-zA-Z0-9_]{1,255}$/.test(itemName) || reservedNames.includes(itemName.toLowerCase()))
    throw archiveFault(
      file,
      line,
      `The tracker ${name} cannot have the short name ${JSON.stringify(clipped(itemName))}.`,
    );
}

/** Elements that mean nothing here, and are told when there is something in them. */
const leftOut: Readonly<Record<string, string>> = {
  timetracking: 'Time tracking is not taken over.',
};

function warnOfLeftOut(element: XmlElement, numbers: DraftNumbers): void {
  for (const child of element.children) {
    const text = leftOut[child.name];
    if (text !== undefined && child.children.length > 0) numbers.warn('skipped_element', child, text);
  }
}

/** Mails about events need a title and days of the tracker's own. */
function checkEvents(file: string, { line }: XmlElement, { kept, semantics }: Tracker): void {
  const { title, timeframe } = semantics;
  const hasDays = timeframe !== undefined && !('impliedFromTrackerId' in timeframe);
  if (kept.sendsEvents && !(title !== undefined && hasDays))
    throw archiveFault(
      file,
      line,
      'should_send_event_in_notification needs a title and a timeframe that is not inherited.',
    );
}

const head = (field: Pick<Field, 'id' | 'label' | 'type'>) =>
  `{"field_id":${field.id},"type":"${field.type.code}","label":${JSON.stringify(field.label)},`;

/** Fields of one tracker at the most: every look at it shows all of them. */
const mostFields = 2000;

/** Names are lines that people read, whoever wrote them. */
const longestLine = 255;
const namingElements = ['name', 'label', 'title'];

/** A name as the API has it: one line without blanks around it. */
const lineOf = (text: string) =>
  text
    .split(/[\r\n]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');

/** The same element with names that can be names here; `tell` is shown those that were too long. */
function withLines(element: XmlElement, tell: (element: XmlElement) => void): XmlElement {
  const line = (text: string) => {
    const characters = [...lineOf(text)];
    if (characters.length > longestLine) tell(element);
    return characters.slice(0, longestLine).join('').trimEnd();
  };
  const { label } = element.attributes;
  return {
    ...element,
    attributes: label === undefined ? element.attributes : { ...element.attributes, label: line(label) },
    text: namingElements.includes(element.name) ? line(element.text) : element.text,
    children: element.children.map((child) => withLines(child, tell)),
  };
}

/** Reads the structure of a tracker. Nothing is written, and nothing is asked of anybody. */
export function readTracker(whole: XmlElement, source: TrackerSource): TrackerDraft {
  const tooLong: XmlElement[] = [];
  const element = withLines(whole, (element) => tooLong.push(element));
  const name = textOf(element, 'name');
  const itemName = textOf(element, 'item_name').trim();
  checkNames(source.file, element, name, itemName);
  const key = attributeOf(element, 'id') ?? '';
  const numbers = new DraftNumbers(`trackers/tracker[${key === '' ? itemName : key}]`, source);
  const form = new FormReader(numbers);
  form.read(element, null);
  if (form.fields.length > mostFields)
    throw archiveFault(source.file, element.line, `The tracker ${name} has more than ${mostFields} fields.`);
  for (const element of tooLong)
    numbers.warn('invalid_value', element, `A name was cut to its first ${longestLine} characters.`, {
      what: `names were cut to their first ${longestLine} characters`,
      subject: clipped(element.attributes['label'] ?? element.text, 20),
    });
  const grants = readPermissions(element, numbers);
  const elements = form.fields.map((field): Field => {
    const own = grants.of(field);
    if (field.type.isUpdatable && Object.values(own).every((groups) => groups.length === 0))
      numbers.warn(
        'no_field_permission',
        form.elementOf(field),
        `Nobody may do anything with the field ${field.name}.`,
        {
          what: 'fields have no permissions, so nobody can read or change them',
          subject: `${itemName}.${field.name}`,
        },
      );
    return { ...field, trackerId: 0, projectId: 0, grants: own, head: head(field) };
  });
  const lender = lenderIn(element);
  const workflows = new WorkflowReader(numbers, form.fields);
  const elementById = new Map(elements.map((field) => [field.id, field]));
  const tracker: Tracker = {
    id: 0,
    project: { id: 0, label: '', icon: '' },
    name,
    itemName,
    description: textOf(element, 'description'),
    color: colourNamed(textOf(element, 'color')) || 'inca-silver',
    notificationLevel: notificationLevel(element),
    parentId: null,
    hasPrivateComments: isTrue(attributeOf(element, 'use_private_comments'), true),
    isDeleted: false,
    kept: keptSettings(element),
    elements,
    elementById,
    semantics: readSemantics(element, {
      field: (reference) => numbers.field(reference),
      value: (reference) => numbers.item(reference),
      valuesOf: (fieldId) => elementById.get(fieldId)?.bind?.values ?? [],
      lender: (lenderKey) => (lenderKey === lender ? 1 : undefined),
      warn: (code, place, text) => numbers.warn(code, place, text),
    }),
    grants: grants.tracker,
    projectGroups: numbers.groups,
    workflow: workflows.workflow(element),
    rules: workflows.rules(element),
    triggers: { own: [], upwards: [] },
  };
  checkEvents(source.file, element, tracker);
  warnOfLeftOut(element, numbers);
  return {
    key,
    parentKey: notNone(attributeOf(element, 'parent_id')),
    lenderKey: lender,
    line: element.line,
    tracker,
    reports: new ReportReader(numbers, form.fields).read(element),
    fields: numbers.fields,
    items: numbers.items,
  };
}

/** The tracker that a timeframe is taken from. */
function lenderIn(tracker: XmlElement): string | undefined {
  const timeframes = listedIn(tracker, 'semantics', 'semantic').filter(
    (semantic) => attributeOf(semantic, 'type') === 'timeframe',
  );
  const lenders = timeframes.flatMap((semantic) => childrenOf(semantic, 'inherited_from_tracker'));
  const [lender] = lenders;
  return lender && notNone(attributeOf(lender, 'id'));
}
