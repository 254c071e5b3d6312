import { findPreference } from '../../identity/index.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Reader } from '../../storage/index.ts';
import type { Tracker } from '../model.ts';
import { isTextFormat, type TextFormat } from '../text/index.ts';

/** How the viewer likes to see the form of a tracker. */
export interface FormPreferences {
  /** The format in which they edit texts. */
  readonly textFormat: TextFormat;
  /** Ids of the fieldsets that they collapsed. */
  readonly collapsed: ReadonlySet<number>;
}

const formatPreference = 'user_edition_default_format';
const nothing: FormPreferences = { textFormat: 'commonmark', collapsed: new Set() };

const textFormatOf = (preference: string | undefined): TextFormat =>
  isTextFormat(preference) ? preference : nothing.textFormat;

/** The format in which somebody's texts are taken that come without one. */
export async function preferredTextFormat(reader: Reader, { userId }: Viewer): Promise<TextFormat> {
  return textFormatOf(await findPreference(reader, userId, formatPreference));
}

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
    textFormat: textFormatOf(values.get(formatPreference)),
    collapsed: new Set(fieldsets.filter((id) => values.get(preferenceOf(id)) === '1')),
  };
}
