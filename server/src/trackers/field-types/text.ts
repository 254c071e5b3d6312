import { isObject } from '../../kernel/values.ts';
import { attributeOf, childOf, textOf, type XmlElement } from '../../kernel/xml.ts';
import {
  changeOf,
  count,
  htmlCell,
  line,
  member,
  plainValue,
  readBack,
  refuseProperty,
  textCell,
  textIn,
  textProperty,
  textSearch,
  valueElement,
  wrongValue,
} from '../field-kit/index.ts';
import type {
  ArchiveReading,
  CellTexts,
  Entry,
  FieldType,
  ShowingContext,
  StoredText,
  WritingContext,
} from '../field-type.ts';
import type { Field } from '../model.ts';
import {
  isTextFormat,
  mostTextBytes,
  plainText,
  rendererVersion,
  renderText,
  type TextFormat,
  textFormats,
  wordsOf,
} from '../text/index.ts';

/** The content of a value that may also give a format. XML writes an empty one as nothing. */
function contentIn(field: Field, value: unknown, isXml: boolean): string {
  if (!isObject(value)) return textIn(field, value);
  const nothing = isXml && Object.hasOwn(value, 'content') ? '' : undefined;
  const content = member(value, 'content') ?? nothing;
  if (content === undefined) throw wrongValue(field, 'The value needs the member `content`.');
  return textIn(field, content);
}

/** The content and the format that an entry gives; another format than the three counts as none. */
function input(field: Field, entry: Entry, context: WritingContext) {
  const value = plainValue(field, entry, context);
  const content = contentIn(field, value, context.isXml);
  if (Buffer.byteLength(content) > mostTextBytes)
    throw wrongValue(field, `It must have at most ${mostTextBytes} bytes.`);
  const format = isObject(value) ? member(value, 'format') : undefined;
  return { content, format: isTextFormat(format) ? format : undefined };
}

/** A text with what is dear to derive from it. */
export async function storedText(
  content: string,
  format: TextFormat,
  context: Pick<WritingContext, 'render'>,
): Promise<StoredText> {
  const html = content === '' ? '' : await context.render(content, format);
  return html === content ? { content, format } : { content, format, html, renderer: rendererVersion };
}

async function accept(field: Field, entry: Entry, context: WritingContext): Promise<StoredText> {
  const { content, format } = input(field, entry, context);
  return storedText(content, format ?? (await context.textFormat()), context);
}

/** `values_by_field` may give the format beside the value. */
function acceptByName(field: Field, entry: Entry, context: WritingContext): Promise<StoredText> {
  const value = plainValue(field, entry, context);
  const format = member(entry, 'format');
  const isBare = !isObject(value) && format !== undefined;
  return accept(field, isBare ? { value: { content: value, format } } : entry, context);
}

/** How the link of a reference begins; safe HTML has a `<` nowhere but at the begin of a tag. */
const reference = '<a href="/goto?';

/** References are kept with addresses inside this site; what is shown can be put into any page. */
function absoluteReferences(html: string, publicUrl: string): string {
  return html.includes(reference) ? html.replaceAll(reference, `<a href="${publicUrl}/goto?`) : html;
}

/** The members that show a text, with `value` and `post_processed_value` under the given names. */
export function showText(
  { content, format, html = content }: StoredText,
  [valueName, htmlName]: readonly [string, string],
  { publicUrl }: Pick<ShowingContext, 'publicUrl'>,
): string {
  const safe = JSON.stringify(absoluteReferences(html, publicUrl));
  const source = JSON.stringify(content);
  if (format === 'commonmark')
    return `"${valueName}":${safe},"format":"html","${htmlName}":${safe},"commonmark":${source}`;
  return `"${valueName}":${source},"format":"${format}","${htmlName}":${safe}`;
}

/** Whether this is the HTML as it was shown, wherever this site was when that was read. */
function isShown(text: string, html: string): boolean {
  const first = html.indexOf(reference);
  if (first === -1) return text === html;
  const site = text.slice(first + '<a href="'.length, text.indexOf('/goto?', first));
  return text === absoluteReferences(html, site);
}

/**
 * Markdown is shown as HTML: sent back like that, with its source beside it, it is the same text. Clients that are older
 * than Markdown leave the source out, and mean the same. XML writes an empty text as nothing.
 */
function isEcho(
  _field: Field,
  entry: Entry,
  { content, format, html = content }: StoredText,
  { isXml }: WritingContext,
): boolean {
  if (!Object.hasOwn(entry, 'value')) return false;
  const { value, commonmark } = entry;
  const shown = value ?? '';
  const source = readBack(content, isXml);
  if (format !== 'commonmark') return shown === source;
  if (typeof shown !== 'string' || !isShown(shown, readBack(html, isXml))) return false;
  // Some Markdown shows nothing: nothing alone empties it.
  return commonmark === undefined && shown !== '' ? true : (commonmark ?? '') === source;
}

const memberNames = ['value', 'post_processed_value'] as const;
const nothing: StoredText = { content: '', format: 'text' };

const noReference = () => undefined;

function defaultIn(format: TextFormat, text: string) {
  if (format !== 'html' || text === '') return { format, content: text };
  return {
    format,
    content: `<p>${renderText(text, 'text', noReference).replaceAll(/\r?\n/g, '<br />\n')}</p>`,
  };
}

function readArchived(_field: Field, change: XmlElement, context: ArchiveReading): Promise<StoredText> {
  const input = childOf(change, 'value');
  const format = input && attributeOf(input, 'format');
  const known = isTextFormat(format) ? format : 'text';
  return storedText(context.relocated(textOf(change, 'value'), known), known, context);
}

/** The words of a text without its markup, from what is rendered already where that is kept. */
export const wordsIn = ({ content, format, html }: StoredText): string =>
  format === 'text' ? content : wordsOf(html ?? content);

/** Characters of markup that are looked at for each one that is shown. */
const markupShare = 20;

/** The words of a text, of which a long one is not looked at to the end: no more than so many characters are shown. */
function firstWordsIn(
  value: StoredText,
  longest: number,
): { readonly words: string; readonly isCut: boolean } {
  const { content, format, html = content } = value;
  const most = longest * markupShare;
  if (format === 'text' || html.length <= most) return { words: wordsIn(value), isCut: false };
  const start = html.slice(0, most);
  // Neither a tag nor an entity is cut in two.
  const [tag, entity] = [start.lastIndexOf('<'), start.lastIndexOf('&')];
  const end = tag > start.lastIndexOf('>') ? tag : entity > start.lastIndexOf(';') ? entity : most;
  return { words: wordsOf(start.slice(0, end)), isCut: true };
}

function rowCell(value: StoredText, texts: CellTexts): string {
  if (texts.isSource) return textCell(value.content, texts, { format: value.format });
  const { words, isCut } = firstWordsIn(value, texts.longest);
  return textCell(words, texts, { isCut });
}

/** Several lines of text, in one of three formats. */
export const textField: FieldType<StoredText> = {
  code: 'text',
  kind: 'field',
  parents: ['column', 'fieldset', null],
  isUpdatable: true,
  isSubmittable: true,
  roles: ['title', 'description'],
  properties: { rows: count(10), cols: count(50), default_value: line('', mostTextBytes) },
  checkProperties(properties) {
    const texts = textFormats.map((format) => defaultIn(format, textProperty(properties, 'default_value')));
    if (texts.some(({ content }) => Buffer.byteLength(content) > mostTextBytes))
      throw refuseProperty('default_value', `It must have at most ${mostTextBytes} bytes, in HTML too.`);
  },
  describe: ({ properties }, { textFormat }) => ({
    default_value: defaultIn(textFormat, textProperty(properties, 'default_value')),
  }),
  value: {
    isAlphanumeric: true,
    accept,
    acceptByName,
    initial: async ({ properties }, context) => {
      const { format, content } = defaultIn(
        await context.textFormat(),
        textProperty(properties, 'default_value'),
      );
      return storedText(content, format, context);
    },
    isEmpty: ({ content }) => content === '',
    isEcho,
    isSame: (left, right) => left.content === right.content,
    show: (_field, value = nothing, context) => showText(value, memberNames, context),
    flat: (_field, value = nothing) => plainText(value.content, value.format),
    texts: (value) => [value],
    searchable: wordsIn,
  },
  cell: {
    write: (_field, { content } = nothing) => content,
    read: (_field, content, { stored, textFormat }) => {
      const before = isObject(stored) ? stored['format'] : undefined;
      return { value: { content, format: before ?? textFormat } };
    },
  },
  row: {
    type: () => 'text',
    cell: (_field, value = nothing, _context, texts) => rowCell(value, texts),
    sort: 'text',
  },
  archived: {
    type: 'text',
    alsoReads: ['string', 'int', 'float'],
    write: (field, { content, format }) => changeOf(field, 'text', [valueElement(content, format)]),
    read: readArchived,
  },
  search: textSearch,
  across: {
    family: () => 'text',
    cell: (_field, { content, html = content } = nothing, { publicUrl }) =>
      htmlCell(absoluteReferences(html, publicUrl)),
  },
  move: {
    family: () => 'text',
    async take(_field, value, _from, context) {
      if (typeof value === 'object' && value !== null && 'content' in value) return { value, isWhole: true };
      return { value: await storedText(String(value ?? ''), 'text', context), isWhole: true };
    },
  },
};
