import {
  attributeOf,
  childOf,
  childrenOf,
  isTrue,
  listedIn,
  textOf,
  type XmlElement,
} from '../kernel/xml.ts';
import {
  type Field,
  type NewRenderer,
  type NewReport,
  noneValue,
  type ReportColumn,
  type SavedCriterion,
  type SortKey,
} from '../trackers/index.ts';
import type { DraftNumbers } from './draft-numbers.ts';

const usualPageSize = 15;
const largestPageSize = 1000;

const nameIn = (element: XmlElement, otherwise: string) => textOf(element, 'name') || otherwise;

const rankOf = (element: XmlElement) => Number(attributeOf(element, 'rank') ?? '0') || 0;
const byRank = (left: XmlElement, right: XmlElement) => rankOf(left) - rankOf(right);

/** Reads the reports of one tracker. Fields that are not in the form fall out without a word. */
export class ReportReader {
  readonly #numbers: DraftNumbers;
  readonly #fields: ReadonlyMap<number, Pick<Field, 'bind'>>;

  constructor(numbers: DraftNumbers, fields: readonly Pick<Field, 'id' | 'bind'>[]) {
    this.#numbers = numbers;
    this.#fields = new Map(fields.map((field) => [field.id, field]));
  }

  read(tracker: XmlElement): NewReport[] {
    const reports = listedIn(tracker, 'reports', 'report');
    const first = reports.find((report) => isTrue(attributeOf(report, 'is_default')));
    // Some platforms say nothing about the default report, and 0 about all others.
    const unsaid = reports.find((report) => attributeOf(report, 'is_default') === undefined);
    const byDefault = first ?? unsaid ?? reports[0];
    return reports.map((report) => this.#report(report, report === byDefault));
  }

  #report(element: XmlElement, isDefault: boolean): NewReport {
    const name = nameIn(element, 'Report');
    return {
      name,
      description: textOf(element, 'description'),
      isDefault,
      isQueryDisplayed: isTrue(attributeOf(element, 'is_query_displayed'), true),
      usesQuery: isTrue(attributeOf(element, 'is_in_expert_mode')),
      query: attributeOf(element, 'expert_query') ?? '',
      criteria: this.#criteria(element),
      renderers: this.#tables(element, name),
    };
  }

  /** A field is asked about once. */
  #criteria(report: XmlElement): SavedCriterion[] {
    const read = new Map<number, SavedCriterion>();
    for (const element of listedIn(report, 'criterias', 'criteria').toSorted(byRank)) {
      const fieldId = this.#numbers.field(childOf(element, 'field'));
      if (fieldId === undefined || read.has(fieldId)) continue;
      const value = this.#value(fieldId, childOf(element, 'criteria_value'));
      read.set(fieldId, {
        fieldId,
        ...(isTrue(attributeOf(element, 'is_advanced')) ? { isAdvanced: true } : {}),
        ...(value === undefined ? {} : { asks: { operator: 'contains', value } }),
      });
    }
    return [...read.values()];
  }

  /** What a field is asked for; undefined when that is nothing. Lists are asked for values, other fields for texts. */
  #value(fieldId: number, element: XmlElement | undefined): string | readonly number[] | undefined {
    if (element === undefined) return undefined;
    const isList = this.#fields.get(fieldId)?.bind != null;
    if ((attributeOf(element, 'type') === 'list') !== isList) return undefined;
    if (!isList) return element.text === '' ? undefined : element.text;
    const none = childrenOf(element, 'none_value').map(() => noneValue);
    const chosen = childrenOf(element, 'selected_value').flatMap((value) => this.#numbers.item(value) ?? []);
    const values = [...new Set([...none, ...chosen])];
    return values.length === 0 ? undefined : values;
  }

  #tables(report: XmlElement, name: string): NewRenderer[] {
    const renderers = listedIn(report, 'renderers', 'renderer').toSorted(byRank);
    return renderers.flatMap((renderer) => {
      const type = attributeOf(renderer, 'type') ?? '';
      if (type === 'table') return [this.#table(renderer)];
      const title = nameIn(renderer, '');
      const text = `The report ${name} shows ${title === '' ? 'artifacts' : title} by ${type}: that is not taken over.`;
      this.#numbers.warn('skipped_element', renderer, text);
      return [];
    });
  }

  #table(element: XmlElement): NewRenderer {
    const rows = Number(attributeOf(element, 'chunksz') ?? '');
    return {
      type: 'table',
      settings: isTrue(attributeOf(element, 'multisort')) ? { multisort: true } : {},
      name: nameIn(element, 'Table'),
      description: textOf(element, 'description'),
      pageSize: Number.isInteger(rows) && rows > 0 ? Math.min(rows, largestPageSize) : usualPageSize,
      columns: this.#columns(element),
      sort: this.#sort(element),
    };
  }

  #columns(table: XmlElement): ReportColumn[] {
    return listedIn(table, 'columns', 'field').flatMap((column) => {
      const fieldId = this.#numbers.field(column);
      const linkType = attributeOf(column, 'artlink-nature');
      const linkFormat = attributeOf(column, 'artlink-nature-format');
      if (fieldId === undefined) return [];
      return { fieldId, ...(linkType && { linkType }), ...(linkFormat && { linkFormat }) };
    });
  }

  #sort(table: XmlElement): SortKey[] {
    return listedIn(table, 'sort', 'field').flatMap((key) => {
      const fieldId = this.#numbers.field(key);
      return fieldId === undefined ? [] : { fieldId };
    });
  }
}
