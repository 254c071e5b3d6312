import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, insertNewline } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  placeholder as placeholderOf,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect } from 'react';
import styles from './editor.module.css';
import { styleNonce } from './nonce.ts';
import { pressedOption } from './pressed-option.ts';
import own from './query-editor.module.css';
import type { QueryEditorProps, QueryOption, WrongPart } from './query-editor.tsx';
import { type EarlyUse, type Latest, useEditor } from './use-editor.ts';

const joining =
  /^(and|or|not|in|between|is|linked|from|to|with|without|parent|child|children|covered|covering|by|artifact|tracker|type|select|where|order|asc|ascending|desc|descending)$/i;
const functions = /^(now|myself|open|my_projects)$/i;

/** Colours alone: what a query means is read by whoever asks for the check. */
const queryLanguage = StreamLanguage.define({
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return 'string';
    if (stream.match(/^\d+(?:\.\d+)?(?![\w-])/)) return 'number';
    if (stream.match(/^@?[\w.-]+/)) {
      const text = stream.current();
      if (functions.test(text) && stream.match(/^\s*\(/, false)) return 'typeName';
      return joining.test(text) ? 'keyword' : 'propertyName';
    }
    stream.next();
    return 'operator';
  },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--c-plum-crazy-text)' },
  { tag: tags.string, color: 'var(--c-sherwood-green-text)' },
  { tag: tags.number, color: 'var(--c-clockwork-orange-text)' },
  { tag: tags.typeName, color: 'var(--c-ocean-turquoise-text)' },
  { tag: tags.operator, color: 'var(--grey-10)' },
]);

interface QueryAreaProps extends QueryEditorProps {
  readonly takesOver: EarlyUse;
  readonly faultId: string;
}

/** CodeMirror for queries; loaded by the first one that somebody writes. */
export function QueryArea(props: QueryAreaProps) {
  const { place, view } = useEditor(props, stateOf);

  // What is known about fields may come later than the text.
  useEffect(() => {
    const editor = view.current;
    editor?.dispatch({ effects: setWrong.of(props.check(editor.state.doc.toString())) });
  }, [props.check, view]);

  useEffect(() => {
    const content = view.current?.contentDOM;
    if (content === undefined) return;
    content.setAttribute('aria-invalid', String(props.fault !== undefined));
    content.setAttribute('aria-describedby', props.faultId);
  }, [props.fault, props.faultId, view]);

  return <div ref={place} className={`${styles['area']} ${own['area']}`} />;
}

const setWrong = StateEffect.define<readonly WrongPart[]>();

const underlined = (parts: readonly WrongPart[], length: number): DecorationSet =>
  Decoration.set(
    parts
      .filter(({ from, to }) => from < to && to <= length)
      .map(({ from, to, words }) =>
        Decoration.mark({ class: own['wrong'] ?? '', attributes: { title: words } }).range(from, to),
      ),
    true,
  );

const wrongParts = (latest: Latest<QueryAreaProps>) =>
  StateField.define<DecorationSet>({
    create: (state) => underlined(latest.current.check(state.doc.toString()), state.doc.length),
    update(marks, transaction) {
      for (const effect of transaction.effects)
        if (effect.is(setWrong)) return underlined(effect.value, transaction.newDoc.length);
      if (!transaction.docChanged) return marks;
      return underlined(latest.current.check(transaction.newDoc.toString()), transaction.newDoc.length);
    },
    provide: (field) => EditorView.decorations.from(field),
  });

function stateOf(latest: Latest<QueryAreaProps>): EditorState {
  const { value, label, placeholder } = latest.current;
  const run = () => {
    latest.current.onRun();
    return true;
  };
  return EditorState.create({
    doc: value,
    extensions: [
      EditorView.cspNonce.of(styleNonce()),
      placeholderOf(placeholder),
      history(),
      queryLanguage,
      syntaxHighlighting(colours),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({
        'aria-label': label,
        'aria-multiline': 'true',
        spellcheck: 'false',
        autocapitalize: 'none',
      }),
      wrongParts(latest),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) latest.current.onChange(update.state.doc.toString());
      }),
      autocompletion({
        override: [(context) => optionsAt(context, latest)],
        icons: false,
        activateOnTypingDelay: 50,
        interactionDelay: 0,
      }),
      pressedOption,
      // Tab leaves the editor, so that nobody is caught in it; with a completion open it takes it.
      keymap.of([
        { key: 'Enter', run, shift: insertNewline },
        { key: 'Mod-Enter', run },
        { key: 'Tab', run: acceptCompletion },
        ...defaultKeymap,
        ...historyKeymap,
      ]),
    ],
  });
}

const asCompletion = ({ label, detail, text, goesOn }: QueryOption): Completion => ({
  label,
  ...(detail === undefined ? {} : { detail }),
  apply(view, _completion, from, to) {
    const end = withoutClosing(view.state, text, to);
    view.dispatch({
      changes: { from, to: end, insert: text },
      selection: { anchor: from + text.length },
      userEvent: 'input.complete',
    });
    if (goesOn === true) startCompletion(view);
  },
});

/** A quote that closes already is not written twice. */
function withoutClosing(state: EditorState, text: string, to: number): number {
  const last = text.trimEnd().at(-1);
  const next = state.sliceDoc(to, to + 1);
  return (last === '"' || last === "'") && (next === '"' || next === "'") ? to + 1 : to;
}

async function optionsAt(
  context: CompletionContext,
  latest: Latest<QueryAreaProps>,
): Promise<CompletionResult | null> {
  const before = context.state.sliceDoc(0, context.pos);
  const found = await latest.current.complete(before, context.explicit);
  if (found === null || found.options.length === 0) return null;
  return { from: found.from, filter: false, options: found.options.map(asCompletion) };
}
