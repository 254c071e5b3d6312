import { element, isTrue, type XmlElement } from '../../kernel/xml.ts';
import type { Field, Properties } from '../model.ts';
import type { TextFormat } from '../text/index.ts';
import type { PropertyRule, Stored, StoredLink } from './field-type.ts';

/** Around a value that is written into an archive. */
export interface ArchiveWriting {
  /** An element of this name that refers to somebody; 100 is nobody. */
  user(name: string, id: number): Promise<XmlElement>;
  /** The name of a user group; undefined when it is gone. */
  group(id: number): string | undefined;
  typedLabel(id: number): Promise<string>;
  /** Those of the links that the archive shall have. */
  links(links: readonly StoredLink[]): Promise<readonly StoredLink[]>;
  /** Those of the files that the archive shall have. */
  files(ids: readonly number[]): Promise<readonly number[]>;
}

/** What archives say when a value cannot be taken over; the change is still read. */
export type ValueWarning = 'invalid_value' | 'unknown_reference' | 'unknown_link_target' | 'unknown_group';

/** Around a value that is read from an archive. */
export interface ArchiveReading {
  /** The account that an element refers to; 100 for nobody, undefined when there is none. */
  user(reference: XmlElement): number | undefined;
  /** The account that had this id where the archive comes from. */
  userNumbered(id: string): number | undefined;
  /** The list value that an item of the archive became. */
  item(id: string): number | undefined;
  group(name: string): number | undefined;
  /** The id of a value that somebody typed into an open list, made when it is new. */
  typedValue(field: Field, label: string): Promise<number>;
  artifact(id: string): number | undefined;
  file(reference: string): number | undefined;
  /** Whether lists of files are complete: then those that are not named any more were removed. */
  readonly hasCompleteFiles: boolean;
  /** A text with the addresses that its files have here. */
  relocated(content: string, format: TextFormat): string;
  /** Safe HTML of a text, with its references as links. */
  render(content: string, format: TextFormat): Promise<string>;
  warn(code: ValueWarning, text: string): void;
}

/** How values of a type stand in the changesets of an archive. */
export interface ArchivedValue<S extends Stored> {
  /** The `type` of a change. */
  readonly type: string;
  /** Other types of changes whose content means the same. */
  readonly alsoReads?: readonly string[];
  /** Stands in every changeset, whether it changed or not. */
  readonly isRepeated?: true;
  write(field: Field, value: S, context: ArchiveWriting): XmlElement | Promise<XmlElement>;
  /** Undefined: nothing changes. */
  read(
    field: Field,
    change: XmlElement,
    context: ArchiveReading,
    before: S | undefined,
  ): S | undefined | Promise<S | undefined>;
}

/** How settings of a type stand in archives, where that is not each under its name. */
export interface ArchivedProperties {
  write(properties: Properties): Readonly<Record<string, string | number | undefined>>;
  /** The settings that attributes give, still to be checked. */
  read(attributes: XmlElement['attributes']): Readonly<Record<string, unknown>>;
}

/** A change of a field; `more` are attributes that only some types have. */
export const changeOf = (
  { name }: Field,
  type: string,
  children: readonly XmlElement[],
  more: Readonly<Record<string, string>> = {},
): XmlElement => element('field_change', { field_name: name, type, ...more }, children);

export const valueElement = (text: string, format?: string) => element('value', { format }, text);

/** A setting that is written even when it is the usual one, for readers with another idea of what is usual. */
export const alwaysWritten = (rules: Readonly<Record<string, PropertyRule>>): ArchivedProperties => ({
  write: (properties) =>
    Object.fromEntries(
      Object.entries(rules).map(([name, { initial }]) => [name, properties[name] ?? initial ?? undefined]),
    ),
  read: (attributes) =>
    Object.fromEntries(Object.entries(attributes).map(([name, text]) => [name, isTrue(text) ? 1 : 0])),
});
