import type { Tracker } from '@atelier/client/routes';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ArtifactFinder, type Field, fieldHolding } from '../../fields/index.ts';
import { useFormats, useMessages } from '../../messages/index.ts';
import { announce, liftNotices, notify, tellFault, useCommands } from '../../shell/index.ts';
import {
  Button,
  classes,
  copyText,
  IconButton,
  MarkdownEditor,
  Menu,
  MenuItem,
  MenuSeparator,
  Popover,
} from '../../ui/index.ts';
import type { RowSource } from '../calls.ts';
import { mostAtOnce } from '../selection.ts';
import styles from './bulk.module.css';
import type { BulkResult, MadeChange } from './calls.ts';
import { idOf, makeChange, rowOf, tryChange, undoChange, watchAll } from './calls.ts';
import { FieldForm, FormButtons } from './field-form.tsx';
import { Changing, countOf, Preview, Results } from './outcome.tsx';
import { type BulkWish, bulkFields, isWished, nothingWished, withField } from './wish.ts';
import { useWishWords } from './words.ts';

/** A field that a key asked for; another object each time. */
export interface AskedField {
  readonly field: Field;
}

export interface BulkBarProps {
  readonly tracker: Tracker;
  readonly source: RowSource;
  /** How many rows the view has in all. */
  readonly size: number | undefined;
  readonly selected: ReadonlySet<string>;
  readonly asked: AskedField | undefined;
  onSelectAll(): void;
  onDeselect(): void;
  onExport(ids: readonly number[]): void;
}

/** Fields with a button of their own where there is room. */
const shownFields = 3;

/** What is done right now. */
type Phase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'preview'; readonly results: readonly BulkResult[] | undefined }
  | {
      readonly kind: 'changing';
      readonly results: readonly BulkResult[] | undefined;
      /** How many are done, where that is known. */
      readonly done?: number | undefined;
    };

const partOf = (done: number | undefined, count: number) => (done === undefined ? undefined : done / count);

/** Tries and makes changes of what is selected, and takes them back. */
function useBulk({ tracker, source, selected }: BulkBarProps) {
  const { bulk: words } = useMessages();
  const formats = useFormats();
  const { ofAll } = useWishWords();
  const [phase, setPhase] = useState<Phase>({ kind: 'idle' });
  const [made, setMade] = useState<{ readonly made: MadeChange; readonly isUndone: boolean }>();
  const ids = [...selected].map(idOf);

  const undo = async (change: MadeChange) => {
    setMade((shown) => (shown === undefined ? undefined : { ...shown, isUndone: true }));
    announce(words.undoing);
    try {
      const back = await undoChange(tracker, source, change);
      const left = countOf(back, 'refused');
      const count = formats.number(back.length - left);
      // Others changed them since, or the workflow knows no way back.
      const reason = back.find(({ error }) => error !== null && error.code !== 412)?.error?.message;
      if (left === 0) notify({ text: words.undone(count, back.length) });
      else if (reason === undefined) notify({ text: words.undoneSome(count, formats.number(left)) });
      else notify({ kind: 'bad', text: words.undoRefused(count, formats.number(left), reason) });
    } catch (error) {
      tellFault(error);
    }
  };
  const tell = (change: MadeChange, wish: BulkWish, isShown: boolean) => {
    const changed = countOf(change.results, 'changed');
    const refused = countOf(change.results, 'refused');
    const count = formats.number(changed);
    const [first = ''] = ofAll(wish);
    const isQuiet = isShown || refused > 0;
    const takesBack = { isQuiet, ...(change.undoable.length > 0 ? { undo: () => void undo(change) } : {}) };
    const reason = change.results.find(({ error }) => error !== null)?.error?.message ?? '';
    if (changed === 0 && refused > 0) notify({ kind: 'bad', isQuiet, text: words.refusedAll(reason) });
    else if (refused > 0) notify({ text: words.changedSome(count, formats.number(refused)), ...takesBack });
    else if (changed === 0) notify({ text: words.nothingChanged, isQuiet });
    else notify({ text: words.changed(first, count, changed), ...takesBack });
    setMade(isQuiet ? { made: change, isUndone: false } : undefined);
  };
  /** Gives whether it was done. */
  const change = async (wish: BulkWish, tried?: readonly BulkResult[]): Promise<boolean> => {
    setPhase({ kind: 'changing', results: tried });
    try {
      const onProgress = (done: number) => setPhase({ kind: 'changing', results: tried, done });
      tell(await makeChange(tracker, source, ids, wish, onProgress), wish, tried !== undefined);
      return true;
    } catch (error) {
      tellFault(error);
      return false;
    } finally {
      setPhase({ kind: 'idle' });
    }
  };
  const preview = async (wish: BulkWish) => {
    setPhase({ kind: 'preview', results: undefined });
    try {
      const results = await tryChange(tracker, ids, wish);
      setPhase((now) => (now.kind === 'preview' ? { kind: 'preview', results } : now));
    } catch (error) {
      setPhase({ kind: 'idle' });
      tellFault(error);
    }
  };
  return {
    ids,
    phase,
    made,
    change,
    preview,
    undo,
    close: () => setPhase({ kind: 'idle' }),
    forget: () => setMade(undefined),
  };
}

/** What can be done with the rows that are selected; it takes room from the list and covers no row. */
export function BulkBar(props: BulkBarProps) {
  const { tracker, size, selected, asked, onSelectAll, onDeselect } = props;
  const { bulk: words } = useMessages();
  const formats = useFormats();
  const { ofField, ofAll } = useWishWords();
  const [wish, setWish] = useState<BulkWish>(nothingWished);
  const [opened, setOpened] = useState<string>();
  const [isQuick, setQuick] = useState(false);
  const bulk = useBulk(props);
  const count = selected.size;
  const fields = bulkFields(tracker);
  const said = count === 0 ? '' : words.selected(formats.number(count));
  useEffect(() => {
    if (said !== '') announce(said);
  }, [said]);
  const isThere = count > 0;
  useEffect(() => (isThere ? liftNotices() : undefined), [isThere]);
  useEffect(() => {
    if (asked === undefined) return;
    setQuick(true);
    setOpened(asked.field.name);
  }, [asked]);
  useEffect(() => {
    if (count > 0) return;
    setWish(nothingWished);
    setOpened(undefined);
  }, [count]);

  const open = (name: string | undefined) => {
    setQuick(false);
    setOpened(name);
  };
  useCommands(
    isThere ? [{ id: 'bulk.comment', name: words.commentFor, keys: 'm', run: () => open('@comment') }] : [],
  );
  const change = (next: BulkWish, tried?: readonly BulkResult[]) => {
    open(undefined);
    void bulk.change(next, tried).then((isDone) => isDone && setWish(nothingWished));
  };
  const preview = () => {
    open(undefined);
    void bulk.preview(wish);
  };
  const shown = [
    ...fields.slice(0, shownFields),
    ...fields
      .slice(shownFields)
      .filter(({ name }) => name === opened || wish.fields.some(({ field }) => field.name === name)),
  ];
  const wishOf = (field: Field) => wish.fields.find((one) => one.field === field);
  const linkField = fieldHolding(fields, 'links');
  const { phase, made } = bulk;
  return (
    <div className={styles['place']}>
      {made !== undefined && (
        <Results
          made={made.made}
          canUndo={!made.isUndone && made.made.undoable.length > 0}
          onUndo={() => void bulk.undo(made.made)}
          onClose={bulk.forget}
        />
      )}
      {phase.kind === 'changing' && phase.results === undefined && (
        <Changing words={words.changing(formats.number(count), count)} part={partOf(phase.done, count)} />
      )}
      {phase.kind !== 'idle' && (phase.kind === 'preview' || phase.results !== undefined) && (
        <Preview
          count={count}
          wishes={ofAll(wish)}
          results={phase.results}
          isChanging={phase.kind === 'changing'}
          part={phase.kind === 'changing' ? partOf(phase.done, count) : undefined}
          onClose={bulk.close}
          onChange={() => change(wish, phase.results)}
        />
      )}
      {count > 0 && (
        <section className={styles['bar']} aria-label={words.bar}>
          <strong>{said}</strong>
          {size !== undefined && size > count && (
            <button type="button" className={styles['all']} onClick={onSelectAll}>
              {size > mostAtOnce
                ? words.selectFirst(formats.number(mostAtOnce))
                : words.selectAll(formats.number(size))}
            </button>
          )}
          {shown.map((field, place) => {
            const one = wishOf(field);
            const isAsked = one !== undefined || opened === field.name;
            return (
              <BarPopover
                key={field.name}
                label={field.label}
                isOpen={opened === field.name}
                onOpenChange={(isOpen) => open(isOpen ? field.name : undefined)}
                words={one === undefined ? field.label : ofField(one)}
                className={isAsked ? undefined : [styles['first'], styles['second'], styles['third']][place]}
              >
                <FieldForm
                  tracker={tracker}
                  field={field}
                  wish={one}
                  count={count}
                  isQuick={isQuick}
                  onWish={(next) => setWish((before) => withField(before, field, next))}
                  onPreview={preview}
                  onChange={() => change(wish)}
                  onQuick={(next) => change({ ...nothingWished, fields: [next] })}
                />
              </BarPopover>
            );
          })}
          <Menu
            aria-label={words.field}
            placement="top start"
            search={words.searchFields}
            onAction={(name) => open(String(name))}
            trigger={
              <Button kind="inverse" size="small" icon="plus" className={styles['act'] ?? ''}>
                {words.field}
              </Button>
            }
          >
            {fields.map(({ name, label }) => (
              <MenuItem key={name} id={name}>
                {label}
              </MenuItem>
            ))}
          </Menu>
          <span className={styles['line']} />
          <CommentPopover
            tracker={tracker}
            wish={wish}
            count={count}
            isOpen={opened === '@comment'}
            onOpenChange={(isOpen) => open(isOpen ? '@comment' : undefined)}
            onWish={setWish}
            onPreview={preview}
            onChange={() => change(wish)}
          />
          {linkField !== undefined && (
            <Button
              kind="inverse"
              size="small"
              icon="link"
              className={classes(styles['act'], styles['second'])}
              onPress={() => open(linkField.name)}
            >
              {words.link}
            </Button>
          )}
          {linkField !== undefined && (opened === '@parent' || wish.parent !== undefined) && (
            <BarPopover
              label={words.parent}
              isOpen={opened === '@parent'}
              onOpenChange={(isOpen) => open(isOpen ? '@parent' : undefined)}
              words={wish.parent === undefined ? words.parent : words.parentIs(wish.parent.xref)}
            >
              <div className={styles['fieldForm']}>
                <h2 className={styles['name']}>{words.parent}</h2>
                <ArtifactFinder
                  projectId={tracker.project.id}
                  onChoose={({ id, xref }) => setWish({ ...wish, parent: { field: linkField, id, xref } })}
                />
                {wish.parent !== undefined && <strong>{words.parentIs(wish.parent.xref)}</strong>}
                <FormButtons
                  count={count}
                  isReady={wish.parent !== undefined}
                  onClear={() => setWish({ ...wish, parent: undefined })}
                  onPreview={preview}
                  onChange={() => change(wish)}
                />
              </div>
            </BarPopover>
          )}
          <MoreMenu
            {...props}
            hasLinks={linkField !== undefined}
            onParent={() => open('@parent')}
            onExport={() => props.onExport(bulk.ids)}
          />
          <span className={styles['rest']} />
          <Button
            size="small"
            className={styles['preview'] ?? ''}
            onPress={preview}
            reasonNot={isWished(wish) ? null : words.nothingToPreview}
          >
            {words.preview}
          </Button>
          <IconButton
            icon="x"
            label={words.deselect}
            keys="escape"
            kind="inverse"
            size="small"
            className={styles['act'] ?? ''}
            onPress={onDeselect}
          />
        </section>
      )}
    </div>
  );
}

interface BarPopoverProps {
  readonly label: string;
  readonly words: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

function BarPopover({ label, words, isOpen, onOpenChange, className, children }: BarPopoverProps) {
  return (
    <Popover
      label={label}
      placement="top start"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      trigger={
        <Button kind="inverse" size="small" opens className={classes(styles['act'], className)}>
          <span>{words}</span>
        </Button>
      }
    >
      {children}
    </Popover>
  );
}

interface CommentPopoverProps {
  readonly tracker: Tracker;
  readonly wish: BulkWish;
  readonly count: number;
  readonly isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  onWish(wish: BulkWish): void;
  onPreview(): void;
  onChange(): void;
}

/** One comment on all of them. */
function CommentPopover(props: CommentPopoverProps) {
  const { wish, count, isOpen, onOpenChange, onWish, onPreview, onChange } = props;
  const { bulk: words } = useMessages();
  return (
    <Popover
      label={words.commentFor}
      placement="top start"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      trigger={
        <Button kind="inverse" size="small" icon="message-2" className={styles['act'] ?? ''}>
          <span>
            {wish.comment.trim() === '' ? words.comment : `${words.comment}: ${wish.comment.trim()}`}
          </span>
        </Button>
      }
    >
      <div className={classes(styles['fieldForm'], styles['wide'])}>
        <h2 className={styles['name']}>{words.commentFor}</h2>
        <MarkdownEditor
          label={words.commentFor}
          autoFocus
          value={wish.comment}
          onChange={(comment) => onWish({ ...wish, comment })}
          showsTools
          minHeight={96}
        />
        <FormButtons
          count={count}
          isReady={wish.comment.trim() !== ''}
          onClear={() => onWish({ ...wish, comment: '' })}
          onPreview={onPreview}
          onChange={onChange}
        />
      </div>
    </Popover>
  );
}

interface MoreMenuProps extends Pick<BulkBarProps, 'selected'> {
  readonly hasLinks: boolean;
  onParent(): void;
  onExport(): void;
}

function MoreMenu({ selected, hasLinks, onParent, onExport }: MoreMenuProps) {
  const { bulk: words } = useMessages();
  const formats = useFormats();
  const isBusy = useRef(false);
  const count = selected.size;
  const ids = [...selected].map(idOf);
  const copy = async () => {
    const references = ids.map((id) => rowOf(id)?.xref ?? `#${id}`);
    await copyText(references.join('\n'));
    notify({ text: words.copied(formats.number(count), count) });
  };
  const watch = async (isWatching: boolean) => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await watchAll(ids, isWatching);
      notify({ text: (isWatching ? words.watched : words.unwatched)(formats.number(count), count) });
    } finally {
      isBusy.current = false;
    }
  };
  const acts: Readonly<Record<string, () => void>> = {
    parent: onParent,
    copy: () => void copy().catch(tellFault),
    export: onExport,
    watch: () => void watch(true).catch(tellFault),
    unwatch: () => void watch(false).catch(tellFault),
  };
  return (
    <Menu
      aria-label={words.more}
      placement="top start"
      onAction={(key) => acts[String(key)]?.()}
      trigger={
        <IconButton
          icon="dots"
          label={words.more}
          kind="inverse"
          size="small"
          className={styles['act'] ?? ''}
        />
      }
    >
      {hasLinks && (
        <MenuItem id="parent" icon="corner-left-up">
          {words.parent}
        </MenuItem>
      )}
      <MenuItem id="copy" icon="copy">
        {words.copyReferences}
      </MenuItem>
      <MenuItem id="export" icon="file-type-csv">
        {words.export}
      </MenuItem>
      <MenuSeparator />
      <MenuItem id="watch" icon="eye">
        {words.watch}
      </MenuItem>
      <MenuItem id="unwatch" icon="eye-off">
        {words.unwatch}
      </MenuItem>
    </Menu>
  );
}
