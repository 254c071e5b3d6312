import { startCompletion } from '@codemirror/autocomplete';
import type { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type RefObject, useLayoutEffect, useRef } from 'react';

interface EditorProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly autoFocus?: boolean | undefined;
  readonly takesOver?: EarlyUse;
}

/**
 * What somebody did with the plain field that was there while the editor was on its way: they go on typing in it, and whoever went
 * elsewhere meanwhile is not called back. Undefined where nobody had to wait.
 */
export type EarlyUse = RefObject<'focused' | 'typed into' | 'left' | undefined>;

/** What the editor was given last; it is made once and reads from here. */
export interface Latest<Props> {
  current: Props;
}

/** More texts than anybody types before the page has drawn the first of them. */
const mostTold = 100;

/**
 * CodeMirror in a place of the page: it is made once, and a value from outside replaces its text. Both happen while the page is drawn: in a
 * moment in between, keys would be lost.
 */
export function useEditor<Props extends EditorProps>(
  props: Props,
  stateOf: (latest: Latest<Props>) => EditorState,
): {
  readonly place: RefObject<HTMLDivElement | null>;
  readonly view: RefObject<EditorView | null>;
  readonly latest: Latest<Props>;
} {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  /** What the editor told, and was not given back yet: older than its text, and no value from outside. */
  const told = useRef<string[]>([]);
  latest.current = {
    ...props,
    onChange: (text) => {
      told.current = [...told.current.slice(1 - mostTold), text];
      props.onChange(text);
    },
  };
  const make = useRef(stateOf);

  useLayoutEffect(() => {
    if (place.current === null) return;
    const editor = new EditorView({ parent: place.current, state: make.current(latest) });
    view.current = editor;
    const before = latest.current.takesOver?.current;
    if (before === undefined ? latest.current.autoFocus : before !== 'left') {
      editor.dispatch({ selection: { anchor: editor.state.doc.length } });
      editor.focus();
    }
    if (before === 'typed into') startCompletion(editor);
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, []);

  useLayoutEffect(() => {
    const editor = view.current;
    const place = told.current.indexOf(props.value);
    told.current = place < 0 ? [] : told.current.slice(place + 1);
    if (place >= 0) return;
    if (editor === null || editor.state.doc.toString() === props.value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.value } });
  }, [props.value]);

  return { place, view, latest };
}
