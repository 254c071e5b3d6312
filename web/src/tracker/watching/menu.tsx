import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { notify, tellFault } from '../../shell/index.ts';
import { IconButton, Menu, MenuItem } from '../../ui/index.ts';
import { useSearchWatching, useTrackerWatching, watchSearch, watchTracker } from './calls.ts';

export interface WatchingMenuProps {
  readonly trackerId: number;
  /** The saved view that is shown. */
  readonly report: { readonly id: number; readonly label: string } | undefined;
}

const tell = (deed: Promise<void>, said: string) =>
  void deed.then(() => notify({ text: said })).catch(tellFault);

/** Whether one hears of new artifacts of a tracker, of what the view comes to find, or of nothing. */
export function WatchingMenu({ trackerId, report }: WatchingMenuProps) {
  const words = useMessages().inbox.tracker;
  const [wasOpen, setWasOpen] = useState(false);
  const watching = useTrackerWatching(trackerId, wasOpen);
  const isSearchWatched = useSearchWatching(report?.id, wasOpen)?.is_watching === true;
  const isWatching = watching?.is_watching === true;
  const isMuted = watching?.is_muted === true;
  const acts: Readonly<Record<string, () => void>> = {
    watch: () =>
      tell(
        watchTracker(trackerId, { is_watching: !isWatching }),
        isWatching ? words.notWatched : words.watched,
      ),
    search: () => {
      if (report === undefined) return;
      const said = isSearchWatched ? words.searchNotWatched : words.searchWatched;
      tell(watchSearch(report.id, !isSearchWatched), said(report.label));
    },
    mute: () => tell(watchTracker(trackerId, { is_muted: !isMuted }), isMuted ? words.unmuted : words.muted),
  };
  return (
    <Menu
      aria-label={words.menu}
      placement="bottom end"
      onOpenChange={(isOpen) => {
        if (isOpen) setWasOpen(true);
      }}
      trigger={<IconButton icon={isMuted ? 'bell-off' : 'bell'} label={words.menu} />}
      onAction={(key) => acts[String(key)]?.()}
    >
      <MenuItem id="watch" icon="eye" isSet={isWatching} second={words.watchHelp}>
        {words.watch}
      </MenuItem>
      {report === undefined ? null : (
        <MenuItem id="search" icon="search" isSet={isSearchWatched} second={words.watchSearchHelp}>
          {words.watchSearch(report.label)}
        </MenuItem>
      )}
      <MenuItem id="mute" icon="bell-off" isSet={isMuted} second={words.muteHelp}>
        {words.mute}
      </MenuItem>
    </Menu>
  );
}
