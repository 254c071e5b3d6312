/** What is known of a key that was pressed. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Letters and signs that come with Shift by themselves (`?`) are named as they are; Shift is named before letters and named keys. */
function nameOfKey({ key, shiftKey }: PressedKey): string {
  const isLetter = /^\p{L}$/u.test(key);
  const name = key === ' ' ? 'space' : key.toLowerCase();
  return shiftKey && (isLetter || key.length > 1) ? `shift+${name}` : name;
}

/** A pressed key as commands name it: `c`, `shift+c`, `mod+k`, `mod+enter`, `?`. `mod` is Ctrl, and ⌘ on a Mac. */
export function writtenKey(pressed: PressedKey, isMac: boolean): string {
  const isMod = isMac ? pressed.metaKey : pressed.ctrlKey;
  const parts = [isMod ? 'mod+' : '', pressed.altKey ? 'alt+' : ''];
  return `${parts.join('')}${nameOfKey(pressed)}`;
}

/** Whether a key is typed into text: such keys do something only outside of text controls, and can be switched off. */
export const isTyped = (written: string): boolean =>
  !/(^|\+)(mod|alt)\+/.test(written) && !/^(escape|f\d+)$/.test(written);

/** What came of pressing a key after others: the keys that matched, or what may still become a match. */
export type KeyMatch =
  | { readonly kind: 'matched'; readonly keys: string }
  | { readonly kind: 'begun'; readonly keys: string }
  | { readonly kind: 'none' };

/** Looks for what was pressed among keys such as `g h`. A beginning that leads nowhere is forgotten, and the last key stands alone. */
export function matchKeys(begun: string, pressed: string, known: readonly string[]): KeyMatch {
  const candidates = begun === '' ? [pressed] : [`${begun} ${pressed}`, pressed];
  for (const keys of candidates) {
    if (known.includes(keys)) return { kind: 'matched', keys };
    if (known.some((other) => other.startsWith(`${keys} `))) return { kind: 'begun', keys };
  }
  return { kind: 'none' };
}

const signs: Readonly<Record<string, string>> = {
  enter: '↵',
  escape: 'Esc',
  arrowdown: '↓',
  arrowup: '↑',
  arrowleft: '←',
  arrowright: '→',
  space: 'Space',
  shift: 'Shift',
  alt: 'Alt',
};

/** Keys as people read them: `g h` is two, `mod+k` is Ctrl and K. */
export function keyCaps(keys: string, isMac: boolean): readonly string[] {
  const capOf = (name: string, isCombined: boolean) => {
    if (name === 'mod') return isMac ? '⌘' : 'Ctrl';
    return signs[name] ?? (isCombined ? name.toUpperCase() : name);
  };
  return keys.split(' ').flatMap((chord) => {
    const names = chord === '+' ? ['+'] : chord.split('+');
    return names.map((name) => capOf(name, names.length > 1));
  });
}
