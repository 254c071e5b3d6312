import { DOMParser } from '@tiptap/pm/model';
import { type Editor, EditorContent, getSchema, useEditor, useEditorState } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { useMessages } from '../../messages/index.ts';
import { classes } from '../classes.ts';
import { IconButton } from '../controls/button.tsx';
import type { IconName } from '../icons/names.ts';
import styles from './editor.module.css';
import type { HtmlEditorProps } from './html-editor.tsx';
import { keptHtml } from './kept-html.ts';
import prose from './rich-text.module.css';
import { editableFragment } from './safe-html.ts';

const EXTENSIONS = [StarterKit.configure({ link: { openOnClick: false } }), ...keptHtml];

/** The editor would make nodes of HTML by itself, which the policy of our pages forbids to everybody but one. */
const contentOf = (html: string): object =>
  DOMParser.fromSchema(getSchema(EXTENSIONS)).parse(editableFragment(html)).toJSON();

/** Tiptap; loaded by the first HTML text that is edited. */
export function HtmlArea({ value, onChange, label, autoFocus, onSend, onEscape, end }: HtmlEditorProps) {
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: contentOf(value),
    autofocus: autoFocus ? 'end' : false,
    // It would write its rules as HTML, which the policy forbids; ours has what is needed of them.
    injectCSS: false,
    editorProps: {
      attributes: {
        'aria-label': label,
        role: 'textbox',
        'aria-multiline': 'true',
        class: classes(prose['prose'], styles['html']),
      },
      handleKeyDown: (_view, event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && onSend) return run(onSend);
        if (event.key === 'Escape' && onEscape) return run(onEscape);
        return false;
      },
    },
    onUpdate: ({ editor: changed }) => onChange(changed.getHTML()),
  });
  return (
    <>
      <EditorContent editor={editor} className={styles['htmlPlace']} />
      <div className={styles['tools']}>
        {editor && <HtmlTools editor={editor} />}
        <span className={styles['space']} />
        {end}
      </div>
    </>
  );
}

function run(act: () => void): true {
  act();
  return true;
}

type Tool = {
  icon: IconName;
  name: 'bold' | 'italic' | 'strike' | 'bulletList' | 'orderedList' | 'code' | 'quote' | 'undo' | 'redo';
  mark?: string;
  act: (editor: Editor) => void;
};

const TOOLS: readonly Tool[] = [
  { icon: 'bold', name: 'bold', mark: 'bold', act: (editor) => editor.chain().focus().toggleBold().run() },
  {
    icon: 'italic',
    name: 'italic',
    mark: 'italic',
    act: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    icon: 'strikethrough',
    name: 'strike',
    mark: 'strike',
    act: (editor) => editor.chain().focus().toggleStrike().run(),
  },
  {
    icon: 'list',
    name: 'bulletList',
    mark: 'bulletList',
    act: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    icon: 'list-numbers',
    name: 'orderedList',
    mark: 'orderedList',
    act: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  { icon: 'code', name: 'code', mark: 'code', act: (editor) => editor.chain().focus().toggleCode().run() },
  {
    icon: 'blockquote',
    name: 'quote',
    mark: 'blockquote',
    act: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  { icon: 'arrow-back-up', name: 'undo', act: (editor) => editor.chain().focus().undo().run() },
  { icon: 'arrow-forward-up', name: 'redo', act: (editor) => editor.chain().focus().redo().run() },
];

function HtmlTools({ editor }: { editor: Editor }) {
  const { editor: words } = useMessages();
  const active = useEditorState({
    editor,
    selector: ({ editor: now }) => TOOLS.map(({ mark }) => mark !== undefined && now.isActive(mark)),
  });
  return TOOLS.map(({ icon, name, mark, act }, place) => (
    <IconButton
      key={name}
      icon={icon}
      size="small"
      label={words[name]}
      {...(mark === undefined ? {} : { 'aria-pressed': active[place] ?? false })}
      onPress={() => act(editor)}
    />
  ));
}
