import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { classes } from '../classes.ts';
import { IconButton } from '../controls/button.tsx';
import type { IconName } from '../icons/names.ts';
import { Skeleton } from '../states/states.tsx';
import styles from './editor.module.css';
import { RichText } from './later-texts.tsx';
import type { EarlyUse } from './use-editor.ts';

export type Completion = { label: string; detail?: string; insert: string };

/** What buttons around the text do with it. */
export type EditorHandle = {
  wrap(mark: string): void;
  prefix(mark: string): void;
  link(): void;
  insert(text: string, completes?: boolean): void;
  chooseFiles(): void;
  focus(): void;
};

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
  // How high the text stood when its preview was asked for, so that nothing below moves while that comes.
  const [height, setHeight] = useState<number | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const isPreviewed = render !== undefined && height !== null;
  const [isFull, setFull] = useState(false);
  const earlyUse: EarlyUse = useRef(undefined);
  // What was shown is sent: the next one is written.
  const [isEmpty, setEmpty] = useState(value === '');
  if (isEmpty !== (value === '')) {
    setEmpty(value === '');
    if (value === '') setHeight(null);
  }
  return (
    <div
      ref={place}
      className={classes(
        styles['editor'],
        isFull && styles['full'],
        showsTools && styles['withTools'],
        className,
      )}
      data-invalid={fault ? true : undefined}
    >
      {!isPreviewed ? (
        <Suspense fallback={<WaitingArea {...props} early={earlyUse} />}>
          <MarkdownArea {...props} takesOver={earlyUse} onReady={setHandle} />
        </Suspense>
      ) : (
        <Preview key={String(status?.isFault)} text={value} render={render} minHeight={height} />
      )}
      {status && (
        <p className={status.isFault ? styles['trouble'] : styles['status']} role="status">
          {status.words}
        </p>
      )}
      <div className={styles['tools']}>
        {!isPreviewed && (
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
            aria-pressed={isPreviewed}
            onClick={() =>
              setHeight(isPreviewed ? null : (place.current?.firstElementChild?.clientHeight ?? 0))
            }
          >
            {isPreviewed ? words.write : words.preview}
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

type PreviewProps = {
  readonly text: string;
  readonly render: NonNullable<MarkdownEditorProps['render']>;
  readonly minHeight: number;
};

/** How a text will look. It is drawn anew when files of it have arrived, which cannot be shown before. */
function Preview({ text, render, minHeight }: PreviewProps) {
  const { editor: words } = useMessages();
  const [shown, setShown] = useState<{ readonly html?: string; readonly fault?: string }>();
  const latest = useRef(render);
  latest.current = render;
  useEffect(() => {
    if (text.trim() === '') return;
    let isWanted = true;
    latest.current(text).then(
      (html) => isWanted && setShown({ html }),
      (error: unknown) => isWanted && setShown({ fault: error instanceof Error ? error.message : '' }),
    );
    return () => {
      isWanted = false;
    };
  }, [text]);
  return (
    <div className={styles['preview']} style={{ minHeight }}>
      {text.trim() === '' ? (
        <p className={styles['nothing']}>{words.nothingToPreview}</p>
      ) : shown?.fault !== undefined ? (
        <p className={styles['trouble']} role="status">
          {shown.fault}
        </p>
      ) : shown?.html === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <RichText html={shown.html} />
      )}
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
  early,
}: MarkdownEditorProps & { readonly early: EarlyUse }) {
  return (
    <textarea
      className={styles['waiting']}
      style={{ minHeight }}
      aria-label={label}
      placeholder={placeholder}
      value={value}
      // biome-ignore lint/a11y/noAutofocus: whoever opens the editor wants to write
      autoFocus={autoFocus}
      onChange={(event) => {
        early.current = 'typed into';
        onChange(event.target.value);
      }}
      onKeyDown={(event) => {
        const isSent = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
        const run = isSent ? onSend : event.key === 'Escape' ? onEscape : undefined;
        if (run === undefined) return;
        event.preventDefault();
        run();
      }}
      onFocus={() => {
        early.current = 'focused';
      }}
      onBlur={(event) => {
        // Without another element that has the focus now, this one was replaced by the editor.
        if (event.relatedTarget !== null) early.current = 'left';
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
