import { autocompletion, type CompletionContext } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { EditorState, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect } from 'react';
import styles from './access-editor.module.css';
import type { AccessEditorProps, LineRemark } from './access-editor.tsx';
import { styleNonce } from './nonce.ts';
import { type Latest, useEditor } from './use-editor.ts';

/** Colours alone: what a line means is told by the server. */
const accessLanguage = StreamLanguage.define({
  token(stream) {
    if (stream.sol() && stream.match(/^\s*[#;].*/)) return 'comment';
    if (stream.match(/^\s*\[[^\]]*\]?/)) return 'keyword';
    if (stream.match(/^[~]?[@&$][\w.-]+/)) return 'typeName';
    if (stream.match(/^=\s*/)) return 'operator';
    if (stream.match(/^\b(rw|r)\b(?=\s*$)/)) return 'string';
    stream.next();
    return null;
  },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--c-plum-crazy-text)' },
  { tag: tags.typeName, color: 'var(--c-deep-blue-text)' },
  { tag: tags.string, color: 'var(--c-sherwood-green-text)' },
  { tag: tags.comment, color: 'var(--grey-10)' },
  { tag: tags.operator, color: 'var(--grey-10)' },
]);

const setRemarks = StateEffect.define<readonly LineRemark[]>();

const marked = (remarks: readonly LineRemark[], text: Text): DecorationSet =>
  Decoration.set(
    remarks
      .filter(({ line }) => line >= 1 && line <= text.lines)
      .map(({ line, text: words, isFault }) =>
        Decoration.line({
          class: (isFault ? styles['fault'] : styles['warning']) ?? '',
          attributes: { title: words },
        }).range(text.line(line).from),
      ),
    true,
  );

const remarkField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setRemarks)) return marked(effect.value, transaction.newDoc);
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const namesAt = (latest: Latest<AccessEditorProps>) => (context: CompletionContext) => {
  const word = context.matchBefore(/@?[\w.-]*/);
  if (word === null || (word.from === word.to && !context.explicit)) return null;
  return { from: word.from, options: latest.current.names.map((label) => ({ label })) };
};

const stateOf = (latest: Latest<AccessEditorProps>): EditorState =>
  EditorState.create({
    doc: latest.current.value,
    extensions: [
      EditorView.cspNonce.of(styleNonce()),
      history(),
      lineNumbers(),
      accessLanguage,
      syntaxHighlighting(colours),
      EditorView.contentAttributes.of({
        'aria-label': latest.current.label,
        'aria-multiline': 'true',
        'aria-describedby': latest.current.describedBy,
        spellcheck: 'false',
        autocapitalize: 'none',
      }),
      remarkField,
      EditorView.updateListener.of((update) => {
        if (update.docChanged) latest.current.onChange(update.state.doc.toString());
      }),
      autocompletion({ override: [namesAt(latest)], icons: false }),
      // Tab leaves the editor, so that nobody is caught in it.
      keymap.of([...defaultKeymap, ...historyKeymap]),
    ],
  });

/** CodeMirror for access files; loaded by the first one that is shown. */
export function AccessArea(props: AccessEditorProps) {
  const { place, view } = useEditor(props, stateOf);

  useEffect(() => {
    view.current?.dispatch({ effects: setRemarks.of(props.remarks) });
    view.current?.contentDOM.setAttribute(
      'aria-invalid',
      String(props.remarks.some(({ isFault }) => isFault)),
    );
  }, [props.remarks, view]);

  return <div ref={place} className={styles['area']} />;
}
