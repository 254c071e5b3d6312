import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { classes } from '../classes.ts';
import { IconButton } from '../controls/button.tsx';
import type { IconName } from '../icons/names.ts';
import styles from './editor.module.css';
import { RichText } from './later-texts.tsx';
import type { Completion, EditorHandle } from './markdown-area.tsx';
import type { WasTypedInto } from './use-editor.ts';

export type { Completion } from './markdown-area.tsx';

export type MarkdownEditorProps = {
  value: string;
  onChange: (text: string) => void;
  label: string;
  placeholder?: string;
  autoFocus?: boolean;
  /** Ctrl Enter. */
  onSend?: (() => void) | undefined;
  onEscape?: (() => void) | undefined;
  /** Whom `@` and which artifacts `#` may mean. */
  complete?: ((sign: '@' | '#', words: string) => Promise<Completion[]>) | undefined;
  /** Files that were pasted or dropped: gives the Markdown that stands for each. */
  onFiles?: ((files: File[]) => Promise<string[]>) | undefined;
  /** What becomes of the files that were given: how much has arrived, or why they were not taken. */
  status?: { readonly words: string; readonly isFault: boolean } | null | undefined;
  /** The rendering of the server, for the preview. */
  render?: ((text: string) => Promise<string>) | undefined;
  /** Stands at the right below: buttons that send. */
  end?: ReactNode;
  fault?: string | null | undefined;
  /** Tools are there from the start, not only with focus. */
  showsTools?: boolean;
  minHeight?: number;
  className?: string;
};

const MarkdownArea = lazy(() =>
  import('./markdown-area.tsx').then((module) => ({ default: module.MarkdownArea })),
);

/** Source stays source: what somebody else wrote is not reformatted by opening it. */
export function MarkdownEditor(props: MarkdownEditorProps) {
  const { editor: words } = useMessages();
  const { value, className, fault, status, render, end, showsTools = false } = props;
  const [handle, setHandle] = useState<EditorHandle | null>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const [isFull, setFull] = useState(false);
  const wasTypedInto: WasTypedInto = useRef(undefined);
  const look = async () => setPreview(value.trim() === '' ? '' : ((await render?.(value)) ?? ''));
  return (
    <div
      className={classes(
        styles['editor'],
        isFull && styles['full'],
        showsTools && styles['withTools'],
        className,
      )}
      data-invalid={fault ? true : undefined}
    >
      {preview === null ? (
        <Suspense fallback={<WaitingArea {...props} isFocused={wasTypedInto} />}>
          <MarkdownArea {...props} takesOver={wasTypedInto} onReady={setHandle} />
        </Suspense>
      ) : (
        <div className={styles['preview']}>
          {preview === '' ? (
            <p className={styles['nothing']}>{words.nothingToPreview}</p>
          ) : (
            <RichText html={preview} />
          )}
        </div>
      )}
      {status && (
        <p className={status.isFault ? styles['trouble'] : styles['status']} role="status">
          {status.words}
        </p>
      )}
      <div className={styles['tools']}>
        {preview === null && (
          <Tools
            handle={handle}
            hasMentions={props.complete !== undefined}
            hasFiles={props.onFiles !== undefined}
          />
        )}
        <span className={styles['space']} />
        {render && (
          <button
            type="button"
            className={styles['switch']}
            aria-pressed={preview !== null}
            onClick={() => (preview === null ? look() : setPreview(null))}
          >
            {preview === null ? words.preview : words.write}
          </button>
        )}
        <IconButton
          icon={isFull ? 'minimize' : 'maximize'}
          size="small"
          label={isFull ? words.leaveFullScreen : words.fullScreen}
          onPress={() => setFull(!isFull)}
        />
        {end}
      </div>
    </div>
  );
}

/** What is typed before the editor has arrived is typed into a plain field. */
function WaitingArea({
  value,
  onChange,
  label,
  placeholder,
  autoFocus,
  minHeight,
  onSend,
  onEscape,
  isFocused,
}: MarkdownEditorProps & { readonly isFocused: WasTypedInto }) {
  return (
    <textarea
      className={styles['waiting']}
      style={{ minHeight }}
      aria-label={label}
      placeholder={placeholder}
      value={value}
      // biome-ignore lint/a11y/noAutofocus: whoever opens the editor wants to write
      autoFocus={autoFocus}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        const isSent = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
        const run = isSent ? onSend : event.key === 'Escape' ? onEscape : undefined;
        if (run === undefined) return;
        event.preventDefault();
        run();
      }}
      onFocus={() => {
        isFocused.current = true;
      }}
      onBlur={(event) => {
        // Without another element that has the focus now, this one was replaced by the editor.
        if (event.relatedTarget !== null) isFocused.current = false;
      }}
    />
  );
}

type Tool = {
  icon: IconName;
  name: keyof ReturnType<typeof useMessages>['editor'];
  run: (handle: EditorHandle) => void;
  keys?: string;
};

const TOOLS: readonly Tool[] = [
  { icon: 'bold', name: 'bold', run: (editor) => editor.wrap('**'), keys: 'Mod b' },
  { icon: 'list', name: 'bulletList', run: (editor) => editor.prefix('- ') },
  { icon: 'list-check', name: 'taskList', run: (editor) => editor.prefix('- [ ] ') },
  { icon: 'code', name: 'code', run: (editor) => editor.wrap('`'), keys: 'Mod e' },
  { icon: 'link', name: 'link', run: (editor) => editor.link(), keys: 'Mod k' },
  { icon: 'blockquote', name: 'quote', run: (editor) => editor.prefix('> ') },
  { icon: 'table', name: 'table', run: (editor) => editor.insert('\n|  |  |\n|---|---|\n|  |  |\n') },
];

function Tools({
  handle,
  hasMentions,
  hasFiles,
}: {
  handle: EditorHandle | null;
  hasMentions: boolean;
  hasFiles: boolean;
}) {
  const { editor: words } = useMessages();
  const button = ({ icon, name, run, keys }: Tool) => (
    <IconButton
      key={name}
      icon={icon}
      size="small"
      label={words[name]}
      {...(keys === undefined ? {} : { keys })}
      onPress={() => handle && run(handle)}
    />
  );
  return (
    <>
      {TOOLS.map(button)}
      {hasMentions && button({ icon: 'at', name: 'mention', run: (editor) => editor.insert('@', true) })}
      {hasFiles && button({ icon: 'photo', name: 'picture', run: (editor) => editor.chooseFiles() })}
    </>
  );
}
