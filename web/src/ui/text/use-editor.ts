import type { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type RefObject, useEffect, useRef } from 'react';

interface EditorProps {
  readonly value: string;
  readonly autoFocus?: boolean | undefined;
  /** Whether somebody was typing while the editor was on its way: they go on typing in it. */
  readonly takesOver?: RefObject<boolean>;
}

/** What the editor was given last; it is made once and reads from here. */
export interface Latest<Props> {
  current: Props;
}

/** CodeMirror in a place of the page: it is made once, and a value from outside replaces its text. */
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
  latest.current = props;
  const make = useRef(stateOf);

  useEffect(() => {
    if (place.current === null) return;
    const editor = new EditorView({ parent: place.current, state: make.current(latest) });
    view.current = editor;
    if (latest.current.autoFocus === true || latest.current.takesOver?.current === true) {
      editor.dispatch({ selection: { anchor: editor.state.doc.length } });
      editor.focus();
    }
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === props.value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.value } });
  }, [props.value]);

  return { place, view, latest };
}
