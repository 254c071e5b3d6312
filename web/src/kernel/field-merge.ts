import { mergeTexts } from './text-merge.ts';

/** What a value comes down to, whether it was read from an artifact, stood in a row, or is about to be sent. */
export type Essence =
  | { readonly kind: 'none' }
  | { readonly kind: 'plain'; readonly value: string }
  | { readonly kind: 'text'; readonly content: string; readonly format: string }
  | { readonly kind: 'set'; readonly items: readonly string[] };

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const none: Essence = { kind: 'none' };

/** No value is written in two ways: an empty list, or the value 100. */
const noValue = '100';

function setOf(items: readonly unknown[]): Essence {
  const names = items.map(nameOfItem).filter((name) => name !== noValue && name !== '');
  return names.length === 0 ? none : { kind: 'set', items: [...new Set(names)].sort() };
}

/** Ids where there are any; links differ by their type too; new values of open lists have only a label. */
function nameOfItem(item: unknown): string {
  if (!isMembers(item)) return String(item);
  const id = item['id'] ?? item['label'] ?? item['username'] ?? item['key'] ?? JSON.stringify(item);
  const type = typeof item['type'] === 'string' && item['type'] !== '' ? `:${item['type']}` : '';
  return `${String(id)}${type}`;
}

function textOf(content: unknown, format: unknown): Essence {
  if (content === undefined || content === null || content === '') return none;
  const name = format === 'markdown' ? 'commonmark' : String(format ?? 'text');
  return { kind: 'text', content: String(content).replaceAll('\r\n', '\n'), format: name };
}

const listMembers = ['bind_value_ids', 'links', 'all_links', 'granted_groups_ids', 'file_descriptions'];

/**
 * The essence of a value. It goes by the shape of what is there and knows nothing about types of fields, so that a new type needs nothing
 * here as long as its values look like others.
 */
export function essenceOf(value: unknown): Essence {
  if (value === undefined || value === null || value === '') return none;
  if (Array.isArray(value)) return setOf(value);
  if (!isMembers(value)) return { kind: 'plain', value: String(value) };
  const list = listMembers.map((name) => value[name]).find(Array.isArray);
  if (list !== undefined) return setOf(list);
  if ('content' in value) return textOf(value['content'], value['format']);
  if ('commonmark' in value) return textOf(value['commonmark'], 'commonmark');
  if ('format' in value && typeof value['value'] === 'string') return textOf(value['value'], value['format']);
  if ('value' in value) return essenceOf(value['value']);
  if ('values' in value) return essenceOf(value['values']);
  if (value['is_autocomputed'] === true) return { kind: 'plain', value: 'automatic' };
  if ('manual_value' in value) return essenceOf(value['manual_value']);
  return none;
}

function sameEssence(left: Essence, right: Essence): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** What becomes of a field that both sides may have changed. */
export type FieldOutcome =
  /** Send what was asked for. */
  | { readonly kind: 'mine' }
  /** It is so already. */
  | { readonly kind: 'settled' }
  /** Send this text instead: it has what both wrote. */
  | { readonly kind: 'merged'; readonly content: string }
  | { readonly kind: 'conflict' };

/** Decides about one field: what stood there when the change was made, what the change asks for, what stands there now. */
export function mergeField(before: Essence, mine: Essence, theirs: Essence): FieldOutcome {
  if (sameEssence(mine, theirs)) return { kind: 'settled' };
  if (sameEssence(before, theirs)) return { kind: 'mine' };
  if (before.kind !== 'text' || mine.kind !== 'text' || theirs.kind !== 'text') return { kind: 'conflict' };
  if (mine.format !== theirs.format || before.format !== theirs.format) return { kind: 'conflict' };
  const { text } = mergeTexts(before.content, mine.content, theirs.content);
  return text === undefined ? { kind: 'conflict' } : { kind: 'merged', content: text };
}
