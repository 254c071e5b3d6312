import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { isChildLink, linksIn } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { notify } from '../shell/index.ts';
import { usePreference } from '../store/index.ts';
import { Button, Dialog, IconButton, Menu, MenuItem, MenuSeparator } from '../ui/index.ts';
import { bringBack, removeArtifact } from './calls.ts';
import { moreOf, type SeenArtifact, valueIn } from './seen.ts';

export const LAYOUT = 'web.artifact_layout';

export function copy(text: string, words: string): void {
  void navigator.clipboard.writeText(text).then(() => notify({ text: words }));
}

export const addressOf = ({ artifact }: SeenArtifact): string =>
  `${location.origin}/artifacts/${artifact.id}`;

/** All that can be done with an artifact beside changing its values. */
export function MoreMenu({ seen, onGone }: { readonly seen: SeenArtifact; readonly onGone: () => void }) {
  const { artifact: words } = useMessages();
  const router = useRouter();
  const [asksDelete, setAsksDelete] = useState(false);
  const [formLayout, setFormLayout] = usePreference(LAYOUT);
  const isBuilt = formLayout === 'built';
  const { artifact, tracker } = seen;
  const acts: Readonly<Record<string, () => void>> = {
    reference: () => copy(artifact.xref, words.copied),
    address: () => copy(addressOf(seen), words.copied),
    markdown: () => copy(`[${artifact.xref} ${artifact.title ?? ''}](${addressOf(seen)})`, words.copied),
    duplicate: () => router.history.push(`/trackers/${tracker.id}/new?copy=${artifact.id}`),
    layout: () => setFormLayout(isBuilt ? 'strip' : 'built'),
    print: () => window.print(),
    api: () => void window.open(['', 'api', artifact.uri].join('/'), '_blank', 'noopener'),
    delete: () => setAsksDelete(true),
  };
  return (
    <>
      <Menu
        aria-label={words.more}
        placement="bottom end"
        trigger={<IconButton icon="dots" label={words.more} keys="." />}
        onAction={(id) => acts[String(id)]?.()}
      >
        <MenuItem id="reference" icon="copy" keys="Shift y">
          {words.copyReference(artifact.xref)}
        </MenuItem>
        <MenuItem id="address" icon="link" keys="y">
          {words.copyAddress}
        </MenuItem>
        <MenuItem id="markdown" icon="code">
          {words.copyMarkdown}
        </MenuItem>
        <MenuSeparator />
        <MenuItem id="duplicate" icon="copy">
          {words.duplicate}
        </MenuItem>
        <MenuItem id="layout" icon="columns">
          {isBuilt ? words.asStrip : words.asBuilt}
        </MenuItem>
        <MenuItem id="print" icon="printer">
          {words.print}
        </MenuItem>
        <MenuItem id="api" icon="terminal-2">
          {words.openApi}
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          id="delete"
          icon="trash"
          isDanger
          reasonNot={moreOf(artifact).mayDelete ? null : words.mayNotDelete}
        >
          {words.delete}
        </MenuItem>
      </Menu>
      {asksDelete && <DeleteDialog seen={seen} onClose={() => setAsksDelete(false)} onGone={onGone} />}
    </>
  );
}

function DeleteDialog({
  seen,
  onClose,
  onGone,
}: {
  readonly seen: SeenArtifact;
  readonly onClose: () => void;
  readonly onGone: () => void;
}) {
  const { artifact: words } = useMessages();
  const [isBusy, setBusy] = useState(false);
  const { artifact, tracker } = seen;
  const links = tracker.fields.find(({ type }) => type === 'art_link');
  const children = links === undefined ? [] : linksIn(valueIn(artifact, links.field_id)).filter(isChildLink);
  const remove = async () => {
    setBusy(true);
    try {
      await removeArtifact(artifact.id);
      notify({ text: words.deleted(artifact.xref), undo: () => void bringBack(artifact.id) });
      onGone();
    } catch (error) {
      notify({ kind: 'bad', text: error instanceof Error ? error.message : String(error) });
    }
    onClose();
  };
  return (
    <Dialog
      title={words.deleteQuestion(artifact.xref)}
      isOpen
      onClose={onClose}
      role="alertdialog"
      buttons={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button kind="destroy" isBusy={isBusy} onPress={remove}>
            {words.delete}
          </Button>
        </>
      }
    >
      <p>{words.deleteWords(children.length)}</p>
    </Dialog>
  );
}
