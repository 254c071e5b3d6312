import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { notify } from '../shell/index.ts';
import { usePreference, useStanding } from '../store/index.ts';
import { copyText, IconButton, Menu, MenuItem, MenuSeparator } from '../ui/index.ts';
import { moreOf, type SeenArtifact } from './seen.ts';
import { useWatchToggles } from './watch.tsx';

const DeleteDialog = lazy(() =>
  import('./delete-dialog.tsx').then((module) => ({ default: module.DeleteDialog })),
);
const MoveDialog = lazy(() => import('./move-dialog.tsx').then((module) => ({ default: module.MoveDialog })));
const EditAll = lazy(() => import('./edit-all.tsx').then((module) => ({ default: module.EditAll })));

export const LAYOUT = 'web.artifact_layout';

export function copy(text: string, words: string): void {
  void copyText(text).then(() => notify({ text: words }));
}

export const addressOf = ({ artifact }: SeenArtifact): string =>
  `${location.origin}/artifacts/${artifact.id}`;

/** All that can be done with an artifact beside changing its values. */
export function MoreMenu({ seen, onGone }: { readonly seen: SeenArtifact; readonly onGone: () => void }) {
  const { artifact: words } = useMessages();
  const router = useRouter();
  const { user } = useStanding();
  const [opened, setOpened] = useState<'delete' | 'move' | 'edit' | null>(null);
  const close = () => setOpened(null);
  const [formLayout, setFormLayout] = usePreference(LAYOUT);
  const isBuilt = formLayout === 'built';
  const { artifact, tracker } = seen;
  const { watching, toggleWatch, toggleMute } = useWatchToggles(artifact.id);
  const acts: Readonly<Record<string, () => void>> = {
    reference: () => copy(artifact.xref, words.copied),
    address: () => copy(addressOf(seen), words.copied),
    markdown: () => copy(`[${artifact.xref} ${artifact.title ?? ''}](${addressOf(seen)})`, words.copied),
    duplicate: () => router.history.push(`/trackers/${tracker.id}/new?copy=${artifact.id}`),
    layout: () => setFormLayout(isBuilt ? 'strip' : 'built'),
    print: () => window.print(),
    api: () => void window.open(['', 'api', artifact.uri].join('/'), '_blank', 'noopener'),
    watch: toggleWatch,
    mute: toggleMute,
    edit: () => setOpened('edit'),
    move: () => setOpened('move'),
    delete: () => setOpened('delete'),
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
        {watching && (
          <MenuItem id="watch" icon="eye" keys="w" isSet={watching.is_watching}>
            {words.watch}
          </MenuItem>
        )}
        {watching && (
          <MenuItem id="mute" icon="bell-off" keys="Shift w" isSet={watching.is_muted}>
            {words.mute}
          </MenuItem>
        )}
        {user !== null && (
          <MenuItem id="edit" icon="edit">
            {words.editAll}
          </MenuItem>
        )}
        {user !== null && (
          <MenuItem id="duplicate" icon="copy">
            {words.duplicate}
          </MenuItem>
        )}
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
          id="move"
          icon="arrow-right"
          reasonNot={moreOf(artifact).mayDelete ? null : words.mayNotMove}
        >
          {words.move}
        </MenuItem>
        <MenuItem
          id="delete"
          icon="trash"
          isDanger
          reasonNot={moreOf(artifact).mayDelete ? null : words.mayNotDelete}
        >
          {words.delete}
        </MenuItem>
      </Menu>
      <Suspense>
        {opened === 'delete' && <DeleteDialog seen={seen} onClose={close} onGone={onGone} />}
        {opened === 'move' && <MoveDialog seen={seen} onClose={close} />}
        {opened === 'edit' && <EditAll seen={seen} onClose={close} />}
      </Suspense>
    </>
  );
}
