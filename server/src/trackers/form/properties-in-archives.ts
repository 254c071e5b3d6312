import { Refusal } from '../../kernel/errors.ts';
import { attributeOf, type XmlElement } from '../../kernel/xml.ts';
import type { FieldType } from '../field-type.ts';
import type { Properties } from '../model.ts';
import { newProperties } from './properties.ts';

/** The attributes of `properties` in an archive: usual settings are left out. */
export function archivedProperties(
  type: FieldType,
  properties: Properties,
): Readonly<Record<string, string | number | undefined>> {
  if (type.archivedProperties !== undefined) return type.archivedProperties.write(properties);
  const own = Object.entries(type.properties).map(([name, { initial }]) => {
    const value = properties[name] ?? initial;
    return [name, value === null || value === initial ? undefined : value] as const;
  });
  return Object.fromEntries(own);
}

function input(type: FieldType, { attributes }: XmlElement): Readonly<Record<string, unknown>> {
  if (type.archivedProperties !== undefined) return type.archivedProperties.read(attributes);
  return attributes;
}

/** The settings that an archive gives; those that cannot be are the usual ones, and told. */
export function propertiesFromArchive(
  type: FieldType,
  element: XmlElement | undefined,
  warn: (text: string) => void,
): Properties {
  const attributes = element === undefined ? {} : input(type, element);
  const settings: Record<string, Properties[string]> = { ...newProperties(type, {}) };
  for (const [name, rule] of Object.entries(type.properties)) {
    if (!Object.hasOwn(attributes, name)) continue;
    try {
      settings[name] = rule.check(attributes[name], name);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      warn(`The setting ${name} cannot be ${JSON.stringify(element && attributeOf(element, name))}.`);
    }
  }
  return settings;
}
