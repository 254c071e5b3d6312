import { useRef, useState } from 'react';
import { type Choice, type FieldValue, type TextFile, useTextTools } from '../fields/index.ts';
import { deviceMoment } from '../kernel/device-clock.ts';
import { newUuid } from '../kernel/uuid.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { announce, tellFault } from '../shell/index.ts';
import { changeArtifact, useDraft, useStanding } from '../store/index.ts';
import { Button, classes, MarkdownEditor, MultiSelect } from '../ui/index.ts';
import styles from './artifact.module.css';
import { commentFor, usePrivateGroups } from './calls.ts';
import type { Layout } from './layout.ts';
import { fieldChange, fileChanges, type SeenArtifact } from './seen.ts';
import { useClosingSteps } from './steps.ts';

/** Where a comment is written: kept as a draft with every key, sent by Ctrl Enter. */
export function Composer({
  seen,
  layout,
  quoted,
}: {
  readonly seen: SeenArtifact;
  readonly layout: Layout;
  /** Changes when something is quoted. */
  readonly quoted: { readonly text: string; readonly count: number };
}) {
  const { artifact: words } = useMessages();
  const formats = useFormats();
  const { user } = useStanding();
  const { uri, id } = seen.artifact;
  const draft = useDraft(uri, 'comment');
  const fileDraft = useDraft<readonly TextFile[]>(uri, 'comment files');
  const groupDraft = useDraft<readonly string[]>(uri, 'comment groups');
  const [typed, setTyped] = useState<string | null>(null);
  const [newFiles, setNewFiles] = useState<readonly TextFile[]>([]);
  const [chosenGroups, setChosenGroups] = useState<readonly string[] | null>(null);
  // A text that comes back is for nobody else than those it was written for.
  const groupIds = chosenGroups ?? groupDraft.content ?? [];
  /** The same comment, sent again because no answer came, is stored once. */
  const key = useRef(newUuid());
  const [isBusy, setBusy] = useState(false);
  const [seenQuote, setSeenQuote] = useState(quoted.count);
  // A text for some only can be given to all also where there are no such comments any more.
  const mayBePrivate = seen.tracker.has_private_comments || groupIds.length > 0;
  const groups = usePrivateGroups(seen.artifact.project.id, mayBePrivate);
  // The editor tells that it is empty after what was in it was sent; what is refused comes back as a draft then.
  const text = typed || (draft.content ?? '');
  const files = [...(fileDraft.content ?? []), ...newFiles];
  const { tools, isUploading } = useTextTools(seen.place, (file) => {
    setNewFiles((before) => [...before, file]);
    fileDraft.keep([...files, file]);
  });
  const closing = useClosingSteps(seen, layout.status);
  const change = (next: string) => {
    key.current = newUuid();
    setTyped(next);
    if (next === '') draft.discard();
    else draft.keep(next);
  };
  if (seenQuote !== quoted.count) {
    setSeenQuote(quoted.count);
    setTyped(`${text}${text === '' ? '' : '\n\n'}${quotedLines(quoted.text)}\n\n`);
  }
  if (user === null) return null;
  const isSent = () => {
    // Empty, until something is typed or what was sent is refused and comes back.
    setTyped(null);
    setNewFiles([]);
    draft.discard();
    fileDraft.discard();
    groupDraft.discard();
    setChosenGroups(null);
    key.current = newUuid();
    announce(words.commented);
  };
  const isReady = text.trim() !== '' && !isBusy && !isUploading && groupDraft.isKnown;
  const send = (close?: FieldValue) => {
    if (!isReady) return;
    const { status } = layout;
    const fields = [
      ...fileChanges(seen, files, text),
      ...(close && status ? [fieldChange(status, close)] : []),
    ];
    if (groupIds.length === 0) {
      changeArtifact(uri, { fields, comment: { body: text, format: 'commonmark' } });
      return isSent();
    }
    if (fields.length > 0) changeArtifact(uri, { fields });
    setBusy(true);
    commentFor(id, text, groupIds, key.current)
      .then(isSent)
      .catch(tellFault)
      .finally(() => setBusy(false));
  };
  const keptAt = draft.keptAt === undefined ? null : deviceMoment(draft.keptAt);
  return (
    <div className={classes(styles['composer'], groupIds.length > 0 && styles['private'])} data-composer={id}>
      <MarkdownEditor
        {...tools}
        label={words.commentLabel}
        placeholder={words.comment}
        value={text}
        onChange={change}
        onSend={() => send()}
        onEscape={leave}
        showsTools={text !== ''}
        end={
          <>
            {keptAt !== null && text !== '' && (
              <span className={styles['draft']}>{words.draftKept(formats.time(keptAt))}</span>
            )}
            {groups.length > 0 && (
              <MultiSelect
                aria-label={words.onlyFor}
                look="value"
                placeholder={words.everybody}
                options={groups.map((group) => ({ id: String(group.id), name: group.label }))}
                value={groupIds}
                onChange={(next) => {
                  key.current = newUuid();
                  setChosenGroups(next);
                  groupDraft.keep(next);
                }}
              />
            )}
            {closing.slice(0, 1).map(({ choice, value }: { choice: Choice; value: FieldValue }) => (
              <Button key={choice.id} isDisabled={!isReady} onPress={() => send(value)}>
                {words.sendAnd(choice.name)}
              </Button>
            ))}
            <Button
              kind="primary"
              isDisabled={text.trim() === '' || isUploading}
              isBusy={isBusy}
              onPress={() => send()}
            >
              {words.send}
              <span className={styles['keyHint']} aria-hidden="true">
                Ctrl ↵
              </span>
            </Button>
          </>
        }
      />
    </div>
  );
}

/** The keys of the page work again; what was typed stays. */
function leave(): void {
  document.activeElement?.closest<HTMLElement>('aside, main')?.focus({ preventScroll: true });
}

const quotedLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
