import { useMessages } from '../messages/index.ts';
import { Button, EmptyDash, HtmlEditor, MarkdownEditor, RichText, TextArea } from '../ui/index.ts';
import styles from './controls.module.css';
import { WordsFilter, wordsFilterWords } from './filters.tsx';
import {
  type ControlProps,
  type Field,
  type FieldValue,
  isMembers,
  type ReaderProps,
  textIn,
  withValue,
} from './model.ts';
import { simpleType } from './simple.ts';
import { withTask } from './tasks.ts';
import { useTextTools } from './text-files.ts';

export type TextFormat = 'text' | 'html' | 'commonmark';

/** The API calls Markdown `html` and puts its source beside it. */
export function formatOf(value: FieldValue | undefined): TextFormat {
  if (value === undefined || typeof value['commonmark'] === 'string') return 'commonmark';
  return value['format'] === 'html' ? 'html' : 'text';
}

export const sourceOf = (value: FieldValue | undefined): string =>
  textIn(formatOf(value) === 'commonmark' ? value?.['commonmark'] : value?.['value']);

/** A text that is not stored yet has no rendering: its source is shown meanwhile. */
const withText = (field: Field, format: TextFormat, content: string): FieldValue =>
  withValue(field, {
    value: format === 'commonmark' ? '' : content,
    format: format === 'text' ? 'text' : 'html',
    post_processed_value: '',
    commonmark: format === 'commonmark' ? content : undefined,
  });

function Reader({ field, value, onChange }: ReaderProps) {
  const source = sourceOf(value);
  const html = textIn(value?.['post_processed_value']);
  if (source.trim() === '') return <EmptyDash />;
  if (html === '') return <div className={styles['plain']}>{source}</div>;
  if (formatOf(value) === 'text') return <RichText html={html} className={styles['plain'] ?? ''} />;
  const isTickable = onChange !== undefined && formatOf(value) === 'commonmark';
  const tick = (index: number, isDone: boolean) =>
    onChange?.(withText(field, 'commonmark', withTask(source, index, isDone)));
  return <RichText html={html} onTask={isTickable ? tick : undefined} />;
}

function Control(props: ControlProps) {
  const { field, value, onChange, place, label, fault, autoFocus, onSend, onEscape, onFile } = props;
  const { fields } = useMessages();
  const { tools, isUploading } = useTextTools(place, onFile);
  const format = formatOf(value);
  const source = sourceOf(value);
  const write = (content: string) => onChange(withText(field, format, content));
  if (format === 'text')
    return (
      <div>
        <TextArea
          {...(label === undefined ? { 'aria-label': field.label } : { label })}
          value={source}
          onChange={write}
          rows={6}
          fault={fault}
          autoFocus={autoFocus ?? false}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && onSend) onSend();
            else if (event.key === 'Escape' && onEscape) onEscape();
            else event.continuePropagation();
          }}
        />
        <Button kind="quiet" size="small" onPress={() => onChange(withText(field, 'commonmark', source))}>
          {fields.convertToMarkdown}
        </Button>
      </div>
    );
  const shared = { label: label ?? field.label, autoFocus: autoFocus ?? false, onSend, onEscape };
  if (format === 'html') return <HtmlEditor {...shared} value={source} onChange={write} />;
  return (
    <MarkdownEditor
      {...shared}
      {...tools}
      // What is stored has all of its files.
      onSend={isUploading ? undefined : onSend}
      value={source}
      onChange={write}
      showsTools
      minHeight={96}
      fault={fault}
    />
  );
}

export const textType = simpleType('text', {
  Reader,
  Control,
  Filter: WordsFilter,
  filterWords: wordsFilterWords,
  isWide: true,
  entryOf: (field, value) => ({
    field_id: field.field_id,
    value: { content: sourceOf(value), format: formatOf(value) },
  }),
  cellOf: (_field, value) => ({ value: sourceOf(value).slice(0, 300), is_cut: sourceOf(value).length > 300 }),
  valueOfCell: (field, cell) => withText(field, 'text', textIn(cell.value)),
  defaultOf: (field) => {
    const given = isMembers(field.default_value) ? field.default_value : {};
    const content = textIn(given['content']);
    return content === '' ? undefined : withText(field, 'commonmark', content);
  },
  isEmpty: (value) => sourceOf(value).trim() === '',
  summary: (value) => sourceOf(value),
});
