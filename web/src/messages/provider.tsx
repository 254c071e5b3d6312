import { createContext, type ReactNode, use } from 'react';
import { I18nProvider } from 'react-aria-components';
import type { FirstMessages } from './en.ts';
import type { EntryMessages } from './en-entry.ts';
import type { LaterMessages } from './en-later.ts';
import { type Formats, formats, type Language } from './formats.ts';

export const languages: readonly Language[] = ['en', 'fr'];

export type Messages = FirstMessages & EntryMessages & LaterMessages;

const firstLoaders: Record<Language, () => Promise<FirstMessages>> = {
  en: async () => (await import('./en.ts')).en,
  fr: async () => (await import('./fr.ts')).fr,
};

const laterLoaders: Record<Language, () => Promise<LaterMessages>> = {
  en: async () => (await import('./en-later.ts')).en,
  fr: async () => (await import('./fr-later.ts')).fr,
};

const entryLoaders: Record<Language, () => Promise<EntryMessages>> = {
  en: async () => (await import('./en-entry.ts')).en,
  fr: async () => (await import('./fr-entry.ts')).fr,
};

/** Words that are loaded when one of them is read, or before. */
function laterWords<Words>(load: () => Promise<Words>) {
  let known: Words | undefined;
  let asked: Promise<Words> | undefined;
  const read = async () => {
    try {
      known = await load();
      return known;
    } catch (error) {
      // The next one who reads them asks again.
      asked = undefined;
      throw error;
    }
  };
  const loadAll = () => {
    asked ??= read();
    return asked;
  };
  return { loadAll, words: () => known ?? use(loadAll()) };
}

/** All words in a language. A component that reads one of a room that was not entered yet is drawn when its words are there. */
function wordsOf(
  first: FirstMessages,
  load: () => Promise<LaterMessages>,
  loadEntry: () => Promise<EntryMessages>,
) {
  const { words, loadAll } = laterWords(load);
  const entry = laterWords(loadEntry);
  // One way for all rooms: a getter for each would have to be loaded before anything is seen.
  const messages = new Proxy(first as Messages, {
    get: (known, room) =>
      Reflect.get(known, room) ?? Reflect.get(room === 'signing' ? entry.words() : words(), room),
  });
  return { messages, loadAll, loadEntry: entry.loadAll };
}

type Spoken = {
  language: Language;
  messages: Messages;
  formats: Formats;
  loadAll: () => Promise<unknown>;
  loadEntry: () => Promise<unknown>;
};

const SpokenContext = createContext<Spoken | null>(null);

let spoken: Spoken | null = null;

/** What a person wished, else the first language of the browser that we speak, else English. */
export function languageOf(wish: string | null | undefined, browser: readonly string[]): Language {
  const asked = [wish ?? '', ...browser].map((name) => name.slice(0, 2).toLowerCase());
  return asked.map((name) => languages.find((known) => known === name)).find((known) => known) ?? 'en';
}

/** To be awaited before the first drawing, and again when a person chooses another language. */
export async function loadLanguage(language: Language): Promise<Spoken> {
  const first = await firstLoaders[language]();
  spoken = {
    language,
    formats: formats(language),
    ...wordsOf(first, laterLoaders[language], entryLoaders[language]),
  };
  document.documentElement.lang = language;
  return spoken;
}

/** Words of all rooms, before they are read. */
export async function loadAllWords(): Promise<void> {
  await spoken?.loadAll();
}

/** Words of pages for those who are not in, before they are read. */
export async function loadEntryWords(): Promise<void> {
  await spoken?.loadEntry();
}

/** For code outside of components, such as notices of the store; a language has been loaded by then. */
export function currentMessages(): FirstMessages {
  if (spoken === null) throw new Error('No language.');
  return spoken.messages;
}

/** What every call may say; there may be no language yet. */
export const awayWords = (): string | undefined => spoken?.messages.ui.away;

export function MessagesProvider({ spoken, children }: { spoken: Spoken; children: ReactNode }) {
  return (
    <SpokenContext value={spoken}>
      <I18nProvider locale={spoken.language === 'en' ? 'en-GB' : spoken.language}>{children}</I18nProvider>
    </SpokenContext>
  );
}

function useSpoken(): Spoken {
  const here = use(SpokenContext);
  if (here === null) throw new Error('No language.');
  return here;
}

export function useMessages(): Messages {
  return useSpoken().messages;
}

export function useFormats(): Formats {
  return useSpoken().formats;
}
