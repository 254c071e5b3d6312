import type { MinimalUserGroup } from '@atelier/client/routes';
import { useState } from 'react';
import { completionsFor } from '../fields/index.ts';
import { deviceMoment } from '../kernel/device-clock.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { announce, notify } from '../shell/index.ts';
import { changeArtifact, useDraft, useStanding } from '../store/index.ts';
import { Button, MarkdownEditor, MultiSelect } from '../ui/index.ts';
import styles from './artifact.module.css';
import { commentFor } from './calls.ts';
import type { SeenArtifact } from './seen.ts';

/** Where a comment is written: kept as a draft with every key, sent by Ctrl Enter. */
export function Composer({
  seen,
  groups = [],
  quoted,
}: {
  readonly seen: SeenArtifact;
  readonly groups?: readonly MinimalUserGroup[];
  /** Changes when something is quoted. */
  readonly quoted: { readonly text: string; readonly count: number };
}) {
  const { artifact: words } = useMessages();
  const formats = useFormats();
  const { user } = useStanding();
  const { uri, id } = seen.artifact;
  const draft = useDraft(uri, 'comment');
  const [typed, setTyped] = useState<string | null>(null);
  const [groupIds, setGroupIds] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [seenQuote, setSeenQuote] = useState(quoted.count);
  const text = typed ?? draft.content ?? '';
  const change = (next: string) => {
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
    setTyped('');
    draft.discard();
    announce(words.commented);
  };
  const send = () => {
    if (text.trim() === '' || isBusy) return;
    if (groupIds.length === 0) {
      changeArtifact(uri, { comment: { body: text, format: 'commonmark' } });
      return isSent();
    }
    setBusy(true);
    commentFor(id, text, groupIds, crypto.randomUUID())
      .then(isSent)
      .catch((error: Error) => notify({ kind: 'bad', text: error.message }))
      .finally(() => setBusy(false));
  };
  const privacy: Readonly<Record<string, unknown>> = seen.tracker;
  const keptAt = draft.keptAt === undefined ? null : deviceMoment(draft.keptAt);
  return (
    <div className={styles['composer']} data-composer>
      <MarkdownEditor
        label={words.commentLabel}
        placeholder={words.comment}
        value={text}
        onChange={change}
        onSend={send}
        complete={completionsFor(seen.artifact.project.id)}
        showsTools={text !== ''}
        end={
          <>
            {keptAt !== null && text !== '' && (
              <span className={styles['draft']}>{words.draftKept(formats.time(keptAt))}</span>
            )}
            {privacy['has_private_comments'] === true && groups.length > 0 && (
              <MultiSelect
                aria-label={words.onlyFor}
                look="value"
                placeholder={words.everybody}
                options={groups.map((group) => ({ id: String(group.id), name: group.label }))}
                value={groupIds}
                onChange={setGroupIds}
              />
            )}
            <Button kind="primary" isDisabled={text.trim() === ''} isBusy={isBusy} onPress={send}>
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

const quotedLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
