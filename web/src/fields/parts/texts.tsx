import { useEffect } from 'react';
import { useMessages } from '../../messages/index.ts';
import { Button, EmptyDash, HtmlEditor, MarkdownEditor, RichText, TextArea } from '../../ui/index.ts';
import { type ControlProps, type ReaderProps, textIn } from '../model.ts';
import { useTextTools } from '../text-files.ts';
import { formatOf, sourceOf, withText } from '../texts.ts';
import styles from './controls.module.css';
import { withTask } from './tasks.ts';

export function TextReader({ field, value, onChange }: ReaderProps) {
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

export function TextControl(props: ControlProps) {
  const { field, value, onChange, place, label, fault, autoFocus, onSend, onEscape, onFile, onBusy } = props;
  const { fields } = useMessages();
  const { tools, isUploading } = useTextTools(place, onFile);
  useEffect(() => onBusy?.(isUploading), [isUploading, onBusy]);
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
