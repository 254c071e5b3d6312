import type { Viewer } from '../kernel/viewer.ts';
import type { Reader } from '../storage/index.ts';
import type { Tracker } from './model.ts';
import type { TextFormat } from './text/index.ts';

/** How the viewer likes to see the form of a tracker. */
export interface FormPreferences {
  /** The format in which they edit texts. */
  readonly textFormat: TextFormat;
  /** Ids of the fieldsets that they collapsed. */
  readonly collapsed: ReadonlySet<number>;
}

const formatPreference = 'user_edition_default_format';
const formats: readonly TextFormat[] = ['text', 'html', 'commonmark'];
const nothing: FormPreferences = { textFormat: 'commonmark', collapsed: new Set() };

const preferenceOf = (fieldsetId: number) => `fieldset_${fieldsetId}`;

export async function readFormPreferences(
  reader: Reader,
  { userId }: Viewer,
  { elements }: Tracker,
): Promise<FormPreferences> {
  if (userId === 0) return nothing;
  const fieldsets = elements.filter(({ type }) => type.isCollapsible).map(({ id }) => id);
  const query = reader.sql
    .selectFrom('preference')
    .select(['name', 'value'])
    .where('account_id', '=', userId);
  const rows = await reader.all(
    query.where('name', 'in', [formatPreference, ...fieldsets.map(preferenceOf)]),
  );
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  return {
    textFormat: formats.find((format) => format === values.get(formatPreference)) ?? nothing.textFormat,
    collapsed: new Set(fieldsets.filter((id) => values.get(preferenceOf(id)) === '1')),
  };
}
