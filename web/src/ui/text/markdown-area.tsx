import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  completionStatus,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from '@codemirror/language';
import { EditorSelection, EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap, placeholder as placeholderOf } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { GFM, parser } from '@lezer/markdown';
import { useEffect, useRef } from 'react';
import styles from './editor.module.css';
import { emoji } from './emoji.ts';
import type { EditorHandle, MarkdownEditorProps } from './markdown-editor.tsx';
import { styleNonce } from './nonce.ts';
import { tableOf } from './pasted-table.ts';
import { pressedOption } from './pressed-option.ts';
import { type EarlyUse, type Latest, useEditor } from './use-editor.ts';

const markdown = new Language(defineLanguageFacet(), parser.configure(GFM), [], 'markdown');

const colours = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent-text)' },
  { tag: tags.monospace, fontFamily: 'var(--mono)', fontSize: '12.5px' },
  { tag: [tags.processingInstruction, tags.contentSeparator], color: 'var(--grey-10)' },
  { tag: tags.quote, color: 'var(--grey-11)' },
]);

/** CodeMirror with the Markdown of the platform; loaded by the first page that edits a text. */
export function MarkdownArea(
  props: MarkdownEditorProps & {
    takesOver: EarlyUse;
    onReady: (handle: EditorHandle | null) => void;
  },
) {
  const chooser = useRef<HTMLInputElement>(null);
  const { place, view, latest } = useEditor(props, stateOf);

  useEffect(() => {
    if (view.current === null) return;
    latest.current.onReady(handleOf(view.current, () => chooser.current?.click()));
    return () => latest.current.onReady(null);
  }, [view, latest]);

  return (
    <>
      <div ref={place} className={styles['area']} style={{ minHeight: props.minHeight }} />
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          if (view.current) takeFiles(view.current, latest.current, [...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}

function stateOf(latest: Latest<MarkdownEditorProps>): EditorState {
  const { value, label, placeholder = '' } = latest.current;
  return EditorState.create({
    doc: value,
    extensions: [
      EditorView.cspNonce.of(styleNonce()),
      placeholderOf(placeholder),
      history(),
      markdown,
      syntaxHighlighting(colours),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({
        'aria-label': label,
        spellcheck: 'true',
        autocapitalize: 'sentences',
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) latest.current.onChange(update.state.doc.toString());
      }),
      autocompletion({ override: [(context) => completions(context, latest)], icons: false }),
      pressedOption,
      Prec.highest(keymap.of(keysOf(latest))),
      // Tab leaves the editor, so that nobody is caught in it; with a completion open it takes it.
      keymap.of([...defaultKeymap, ...historyKeymap, { key: 'Tab', run: acceptCompletion }]),
      EditorView.domEventHandlers({
        paste: (event, view) => pasted(event, view, latest.current),
        drop: (event, view) => dropped(event, view, latest.current),
      }),
    ],
  });
}

function keysOf(latest: Latest<MarkdownEditorProps>) {
  const bold = (view: EditorView) => wrap(view, '**');
  return [
    {
      key: 'Mod-Enter',
      run: () => {
        latest.current.onSend?.();
        return latest.current.onSend !== undefined;
      },
    },
    {
      key: 'Escape',
      run: (view: EditorView) => {
        if (completionStatus(view.state) !== null || latest.current.onEscape === undefined) return false;
        latest.current.onEscape();
        return true;
      },
    },
    { key: 'Mod-b', run: bold },
    { key: 'Mod-i', run: (view: EditorView) => wrap(view, '*') },
    { key: 'Mod-e', run: (view: EditorView) => wrap(view, '`') },
    { key: 'Mod-k', run: linkOf },
    { key: 'Enter', run: continueList },
  ];
}

function handleOf(view: EditorView, chooseFiles: () => void): EditorHandle {
  const then = (act: (view: EditorView) => unknown) => {
    act(view);
    view.focus();
  };
  return {
    wrap: (mark) => then(() => wrap(view, mark)),
    prefix: (mark) => then(() => prefix(view, mark)),
    link: () => then(() => linkOf(view)),
    insert: (text, completes = false) =>
      then(() => {
        view.dispatch(view.state.replaceSelection(text));
        if (completes) startCompletion(view);
      }),
    chooseFiles,
    focus: () => view.focus(),
  };
}

function wrap(view: EditorView, mark: string): boolean {
  const change = view.state.changeByRange((range) => ({
    changes: [
      { from: range.from, insert: mark },
      { from: range.to, insert: mark },
    ],
    range: EditorSelection.range(range.from + mark.length, range.to + mark.length),
  }));
  view.dispatch(change, { scrollIntoView: true });
  return true;
}

function prefix(view: EditorView, mark: string): boolean {
  const { from, to } = view.state.selection.main;
  const changes: { from: number; insert: string }[] = [];
  for (let at = from; at <= to; ) {
    const line = view.state.doc.lineAt(at);
    changes.push({ from: line.from, insert: mark });
    at = line.to + 1;
  }
  view.dispatch({ changes });
  return true;
}

function linkOf(view: EditorView): boolean {
  const { from, to } = view.state.selection.main;
  const words = view.state.sliceDoc(from, to);
  const insert = `[${words}](https://)`;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + words.length + 3, head: from + insert.length - 1 },
  });
  return true;
}

const LIST_ITEM = /^(\s*)(?:([-*+])|(\d+)([.)]))(\s+)(\[[ xX]\]\s+)?(.*)$/;

/** The next item of a list; an empty item ends it. */
function continueList(view: EditorView): boolean {
  const { main } = view.state.selection;
  const line = view.state.doc.lineAt(main.head);
  const item = LIST_ITEM.exec(line.text);
  if (!main.empty || main.head !== line.to || item === null) return false;
  const [, indent = '', bullet, number, closing = '', space = ' ', task, words] = item;
  if (words === '') {
    view.dispatch({ changes: { from: line.from, to: line.to, insert: '' } });
    return true;
  }
  const mark = bullet ?? `${Number(number) + 1}${closing}`;
  view.dispatch(view.state.replaceSelection(`\n${indent}${mark}${space}${task ? '[ ] ' : ''}`), {
    scrollIntoView: true,
  });
  return true;
}

const mostEmoji = 12;

/** `:smi` offers what begins so, then what has it inside. */
function emojiCompletions(context: CompletionContext) {
  const typed = context.matchBefore(/(^|\s):[a-z_]{2,}$/);
  if (typed === null) return null;
  const text = typed.text.trimStart();
  const words = text.slice(1);
  const found = Object.entries(emoji).filter(([name]) => name.includes(words));
  found.sort(([left], [right]) => Number(right.startsWith(words)) - Number(left.startsWith(words)));
  return {
    from: context.pos - text.length,
    filter: false,
    options: found
      .slice(0, mostEmoji)
      .map(([name, sign]) => ({ label: `${sign} ${name}`, apply: `${sign} ` })),
  };
}

async function completions(context: CompletionContext, latest: Latest<MarkdownEditorProps>) {
  const typed = context.matchBefore(/(^|[\s(])[@#][\p{L}\p{N}._-]*$/u);
  const { complete } = latest.current;
  if (typed === null) return emojiCompletions(context);
  if (complete === undefined) return null;
  const text = typed.text.trimStart().replace(/^\(/, '');
  const sign = text[0] === '@' ? '@' : '#';
  const found = await complete(sign, text.slice(1));
  return {
    from: context.pos - text.length,
    filter: false,
    options: found.map(({ label, detail, insert }) => ({ label, detail, apply: `${insert} ` })),
  };
}

function pasted(event: ClipboardEvent, view: EditorView, props: MarkdownEditorProps): boolean {
  const files = [...(event.clipboardData?.files ?? [])];
  if (files.length > 0 && props.onFiles) {
    event.preventDefault();
    takeFiles(view, props, files);
    return true;
  }
  const table = tableOf(event.clipboardData?.getData('text/plain') ?? '');
  if (table === null) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(table));
  return true;
}

function dropped(event: DragEvent, view: EditorView, props: MarkdownEditorProps): boolean {
  const files = [...(event.dataTransfer?.files ?? [])];
  if (files.length === 0 || !props.onFiles) return false;
  event.preventDefault();
  event.stopPropagation();
  takeFiles(view, props, files);
  return true;
}

async function takeFiles(view: EditorView, props: MarkdownEditorProps, files: File[]): Promise<void> {
  if (files.length === 0 || !props.onFiles) return;
  const texts = await props.onFiles(files);
  if (texts.length > 0) view.dispatch(view.state.replaceSelection(texts.join('\n')));
}
