import { createSignal } from './signal.ts';

/** How the application looks on this device. */
export interface Appearance {
  readonly theme: 'light' | 'dark' | 'system';
  readonly density: 'comfortable' | 'compact';
}

const names = { theme: 'atelier.theme', density: 'atelier.density' } as const;

function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

const themeOf = (text: string | null | undefined): Appearance['theme'] =>
  text === 'light' || text === 'dark' ? text : 'system';

const densityOf = (text: string | null | undefined): Appearance['density'] =>
  text === 'compact' ? text : 'comfortable';

export const appearance = createSignal<Appearance>({
  theme: themeOf(kept(names.theme)),
  density: densityOf(kept(names.density)),
});

function mark(name: 'theme' | 'density', value: string, usual: string): void {
  const { dataset } = document.documentElement;
  if (value === usual) delete dataset[name];
  else dataset[name] = value;
  try {
    if (value === usual) localStorage.removeItem(names[name]);
    else localStorage.setItem(names[name], value);
  } catch {
    // It lasts as long as the page.
  }
}

/** Shows it at once, and keeps it on this device so that the next page is painted right from the start. */
export function setAppearance(wish: Partial<Appearance>): void {
  const next = { ...appearance.get(), ...wish };
  mark('theme', next.theme, 'system');
  mark('density', next.density, 'comfortable');
  appearance.set(next);
}

/** What a person chose on another browser holds here too. */
export function takeAppearance(preferences: Readonly<Record<string, string>>): void {
  const { 'web.theme': theme, 'web.density': density } = preferences;
  setAppearance({
    ...(theme === undefined ? {} : { theme: themeOf(theme) }),
    ...(density === undefined ? {} : { density: densityOf(density) }),
  });
}

/** Whether the page is dark now, by choice or by the system. */
export function isDark(): boolean {
  const { theme } = appearance.get();
  return theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
}
