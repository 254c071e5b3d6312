import { useMessages } from '../../messages/index.ts';
import { Icon } from '../icons/icon.tsx';
import styles from './marks.module.css';

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

function written(name: string): string {
  if (name === 'Mod') return isMac ? '⌘' : 'Ctrl';
  return name.length === 1 ? name.toUpperCase() : name;
}

/** `Mod k`, `Shift c`, `g h`: each key in its box. Enter is drawn, as the font has no sign for it. */
export function Key({ keys, inverse = false }: { keys: string; inverse?: boolean }) {
  const { keyNames } = useMessages().ui;
  return (
    <span className={inverse ? styles['keysInverse'] : styles['keys']}>
      {keys.split(' ').map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may stand there twice
        <kbd key={index}>
          {name === 'Enter' ? (
            <Icon name="corner-down-left" size={12} label={keyNames[name] ?? name} />
          ) : (
            (keyNames[name] ?? written(name))
          )}
        </kbd>
      ))}
    </span>
  );
}
