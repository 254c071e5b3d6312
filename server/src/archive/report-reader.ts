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

const longestName = 255;
const usualPageSize = 15;
const largestPageSize = 1000;

/** A name on one line, as reports have it; files may have anything. */
function nameIn(given: XmlElement, otherwise: string): string {
  const name = textOf(given, 'name')
    .replaceAll(/[\r\n]+/g, ' ')
    .trim();
  return [...name].slice(0, longestName).join('') || otherwise;
}

const rankOf = (given: XmlElement) => Number(attributeOf(given, 'rank') ?? '0') || 0;
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
    const given = listedIn(tracker, 'reports', 'report');
    const first = given.find((report) => isTrue(attributeOf(report, 'is_default')));
    // Some platforms say nothing about the default report, and 0 about all others.
    const unsaid = given.find((report) => attributeOf(report, 'is_default') === undefined);
    const byDefault = first ?? unsaid ?? given[0];
    return given.map((report) => this.#report(report, report === byDefault));
  }

  #report(given: XmlElement, isDefault: boolean): NewReport {
    const name = nameIn(given, 'Report');
    return {
      name,
      description: textOf(given, 'description'),
      isDefault,
      isQueryDisplayed: isTrue(attributeOf(given, 'is_query_displayed'), true),
      usesQuery: isTrue(attributeOf(given, 'is_in_expert_mode')),
      query: attributeOf(given, 'expert_query') ?? '',
      criteria: this.#criteria(given),
      renderers: this.#tables(given, name),
    };
  }

  /** A field is asked about once. */
  #criteria(report: XmlElement): SavedCriterion[] {
    const read = new Map<number, SavedCriterion>();
    for (const given of listedIn(report, 'criterias', 'criteria').toSorted(byRank)) {
      const fieldId = this.#numbers.field(childOf(given, 'field'));
      if (fieldId === undefined || read.has(fieldId)) continue;
      const value = this.#value(fieldId, childOf(given, 'criteria_value'));
      read.set(fieldId, {
        fieldId,
        ...(isTrue(attributeOf(given, 'is_advanced')) ? { isAdvanced: true } : {}),
        ...(value === undefined ? {} : { asks: { operator: 'contains', value } }),
      });
    }
    return [...read.values()];
  }

  /** What a field is asked for; undefined when that is nothing. Lists are asked for values, other fields for texts. */
  #value(fieldId: number, given: XmlElement | undefined): string | readonly number[] | undefined {
    if (given === undefined) return undefined;
    const isList = this.#fields.get(fieldId)?.bind != null;
    if ((attributeOf(given, 'type') === 'list') !== isList) return undefined;
    if (!isList) return given.text === '' ? undefined : given.text;
    const none = childrenOf(given, 'none_value').map(() => noneValue);
    const chosen = childrenOf(given, 'selected_value').flatMap((value) => this.#numbers.item(value) ?? []);
    const values = [...new Set([...none, ...chosen])];
    return values.length === 0 ? undefined : values;
  }

  #tables(report: XmlElement, name: string): NewRenderer[] {
    const given = listedIn(report, 'renderers', 'renderer').toSorted(byRank);
    return given.flatMap((renderer) => {
      const type = attributeOf(renderer, 'type') ?? '';
      if (type === 'table') return [this.#table(renderer)];
      const title = nameIn(renderer, '');
      const text = `The report ${name} shows ${title === '' ? 'artifacts' : title} by ${type}: that is not taken over.`;
      this.#numbers.warn('skipped_element', renderer, text);
      return [];
    });
  }

  #table(given: XmlElement): NewRenderer {
    const rows = Number(attributeOf(given, 'chunksz') ?? '');
    return {
      type: 'table',
      settings: {},
      name: nameIn(given, 'Table'),
      description: textOf(given, 'description'),
      pageSize: Number.isInteger(rows) && rows > 0 ? Math.min(rows, largestPageSize) : usualPageSize,
      columns: this.#columns(given),
      sort: this.#sort(given),
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
