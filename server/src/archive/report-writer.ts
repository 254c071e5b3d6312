import { element, type XmlElement } from '../kernel/xml.ts';
import {
  columnsOf,
  criterionOperators,
  type Field,
  noneValue,
  type Renderer,
  type Report,
  type SavedCriterion,
  type Tracker,
} from '../trackers/index.ts';
import { fieldKey, rendererKey, reportKey, valueKey } from './keys.ts';

const optional = (name: string, text: string) => (text === '' ? [] : [element(name, {}, text)]);

const listed = (name: string, items: readonly XmlElement[]) =>
  items.length === 0 ? [] : [element(name, {}, items)];

/** The values of a list that archives can name: those of its own. */
function listValue({ bind, type }: Field, value: unknown): XmlElement[] {
  if (bind?.kind !== 'static' || type.isOpen) return [];
  const asked = [value].flat();
  const chosen = bind.values.filter(({ id }) => asked.includes(id));
  return [
    ...(asked.includes(noneValue) ? [element('none_value')] : []),
    ...chosen.map(({ id }) => element('selected_value', { REF: valueKey(id) })),
  ];
}

/** Whether what people write into the field is what they look for: no date, no person and no artifact. */
const isOfText = ({ bind, type }: Field) =>
  bind === null && type.isUpdatable && type.acceptLinks === undefined && type.value?.instant === undefined;

/** What a criterion asks for, where archives have a form for it. */
function criterionValue(field: Field, { asks }: SavedCriterion): XmlElement[] {
  if (asks === undefined || !criterionOperators.some((operator) => operator === asks.operator)) return [];
  if (isOfText(field)) return [element('criteria_value', { type: 'text' }, String(asks.value))];
  const values = listValue(field, asks.value);
  return values.length === 0 ? [] : [element('criteria_value', { type: 'list' }, values)];
}

function criterionElements({ criteria }: Report, { elementById }: Tracker): XmlElement[] {
  const named = criteria.flatMap((criterion) => {
    const field = criterion.fieldId === null ? undefined : elementById.get(criterion.fieldId);
    return field === undefined ? [] : { criterion, field };
  });
  return named.map(({ criterion, field }, rank) =>
    element('criteria', { rank, is_advanced: criterion.isAdvanced }, [
      element('field', { REF: fieldKey(field.id) }),
      ...criterionValue(field, criterion),
    ]),
  );
}

/** Archives have a form for tables alone: nobody else could read the others. */
const isArchived = ({ type }: Renderer) => type === 'table';

/** What reports show in ways that archives have no form for, in words. */
export const rendererLosses = (reports: readonly Report[], tracker: Tracker): string[] =>
  reports.flatMap((report) =>
    report.renderers
      .filter((renderer) => !isArchived(renderer))
      .map(
        ({ name, type }) =>
          `The report ${report.name} of the tracker ${tracker.name} shows ${name} by ${type}: that is left out.`,
      ),
  );

function tableElement(table: Renderer, rank: number, tracker: Tracker): XmlElement {
  const { id, name, description, pageSize, sort, settings } = table;
  const columns = columnsOf(table, tracker).map(({ fieldId, linkType, linkFormat }) =>
    element('field', {
      REF: fieldKey(fieldId),
      'artlink-nature': linkType,
      'artlink-nature-format': linkFormat,
    }),
  );
  const keys = sort.filter(({ fieldId }) => tracker.elementById.has(fieldId));
  const attributes = {
    ID: rendererKey(id),
    type: 'table',
    rank,
    chunksz: pageSize,
    multisort: keys.length > 1 || settings['multisort'] === true,
  };
  return element('renderer', attributes, [
    element('name', {}, name),
    ...optional('description', description),
    element('columns', {}, columns),
    ...listed(
      'sort',
      keys.map(({ fieldId }) => element('field', { REF: fieldKey(fieldId) })),
    ),
  ]);
}

function reportElement(report: Report, tracker: Tracker): XmlElement {
  const tables = report.renderers.filter(isArchived);
  const attributes = {
    id: reportKey(report.id),
    is_default: report.isDefault,
    is_query_displayed: report.isQueryDisplayed,
    is_in_expert_mode: report.usesQuery,
    expert_query: report.query === '' ? undefined : report.query,
  };
  return element('report', attributes, [
    element('name', {}, report.name),
    ...optional('description', report.description),
    element('criterias', {}, criterionElements(report, tracker)),
    ...listed(
      'renderers',
      tables.map((table, rank) => tableElement(table, rank, tracker)),
    ),
  ]);
}

/** The public reports of a tracker. What archives have no form for is left out: words in comments, people, days, what must not be. */
export function reportElements(reports: readonly Report[], tracker: Tracker): XmlElement[] {
  return listed(
    'reports',
    reports.map((report) => reportElement(report, tracker)),
  );
}
