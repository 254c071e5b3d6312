import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { notify } from '../../shell/index.ts';
import { IconButton, Menu, MenuItem } from '../../ui/index.ts';
import { useTrackerWatching, watchTracker } from './calls.ts';

/** Whether one hears of new artifacts of a tracker, or of nothing in it. */
export function WatchingMenu({ trackerId }: { readonly trackerId: number }) {
  const words = useMessages().inbox.tracker;
  const [wasOpen, setWasOpen] = useState(false);
  const watching = useTrackerWatching(trackerId, wasOpen);
  const isWatching = watching?.is_watching === true;
  const isMuted = watching?.is_muted === true;
  const set = (wish: Parameters<typeof watchTracker>[1], said: string) =>
    void watchTracker(trackerId, wish)
      .then(() => notify({ text: said }))
      .catch((error: Error) => notify({ kind: 'bad', text: error.message }));
  return (
    <Menu
      aria-label={words.menu}
      placement="bottom end"
      onOpenChange={(isOpen) => {
        if (isOpen) setWasOpen(true);
      }}
      trigger={<IconButton icon={isMuted ? 'bell-off' : 'bell'} label={words.menu} />}
      onAction={(key) =>
        key === 'watch'
          ? set({ is_watching: !isWatching }, isWatching ? words.notWatched : words.watched)
          : set({ is_muted: !isMuted }, isMuted ? words.unmuted : words.muted)
      }
    >
      <MenuItem id="watch" icon="eye" isSet={isWatching} second={words.watchHelp}>
        {words.watch}
      </MenuItem>
      <MenuItem id="mute" icon="bell-off" isSet={isMuted} second={words.muteHelp}>
        {words.mute}
      </MenuItem>
    </Menu>
  );
}
