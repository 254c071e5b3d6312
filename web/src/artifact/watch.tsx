import { useMessages } from '../messages/index.ts';
import { notify, tellFault } from '../shell/index.ts';
import { Button, IconButton, Menu, MenuItem } from '../ui/index.ts';
import { setWatching, useWatching } from './calls.ts';

/** Watching and muting, for the menu and for keys. */
export function useWatchToggles(id: number) {
  const { artifact: words } = useMessages();
  const watching = useWatching(id);
  const set = (wish: Parameters<typeof setWatching>[1], said: string) =>
    void setWatching(id, wish)
      .then(() => notify({ text: said }))
      .catch(tellFault);
  const isWatching = watching?.is_watching === true;
  const isMuted = watching?.is_muted === true;
  return {
    watching,
    toggleWatch: () => set({ is_watching: !isWatching }, isWatching ? words.notWatched : words.nowWatched),
    toggleMute: () => set({ is_muted: !isMuted }, isMuted ? words.unmuted : words.muted),
  };
}

/** Who is told of what happens here, and whether one wants to be. */
export function WatchMenu({ id, isSmall = false }: { readonly id: number; readonly isSmall?: boolean }) {
  const { artifact: words } = useMessages();
  const { watching, toggleWatch, toggleMute } = useWatchToggles(id);
  if (watching === undefined) return null;
  const { is_watching: isWatching, is_muted: isMuted, watcher_count: count, reason } = watching;
  const name = words.watching(count);
  const icon = isMuted ? 'bell-off' : isWatching ? 'eye' : 'eye-off';
  return (
    <Menu
      aria-label={name}
      placement="bottom end"
      trigger={
        isSmall ? (
          <IconButton icon={icon} size="small" label={name} />
        ) : (
          <Button kind="quiet" icon={icon}>
            {name}
          </Button>
        )
      }
      onAction={(key) => (key === 'watch' ? toggleWatch() : toggleMute())}
    >
      <MenuItem
        id="watch"
        icon="eye"
        keys="w"
        isSet={isWatching}
        second={reason === null ? undefined : words.watchReasons[reason]}
      >
        {words.watch}
      </MenuItem>
      <MenuItem id="mute" icon="bell-off" keys="Shift w" isSet={isMuted}>
        {words.mute}
      </MenuItem>
    </Menu>
  );
}
