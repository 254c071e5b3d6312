import { createContext, type ReactNode, use } from 'react';
import { I18nProvider } from 'react-aria-components';
import type { Messages } from './en.ts';
import { type Formats, formats, type Language } from './formats.ts';

export const languages: readonly Language[] = ['en', 'fr'];

const loaders: Record<Language, () => Promise<Messages>> = {
  en: async () => (await import('./en.ts')).en,
  fr: async () => (await import('./fr.ts')).fr,
};

type Spoken = { language: Language; messages: Messages; formats: Formats };

const SpokenContext = createContext<Spoken | null>(null);

let spoken: Spoken | null = null;

/** What a person wished, else the first language of the browser that we speak, else English. */
export function languageOf(wish: string | null | undefined, browser: readonly string[]): Language {
  const asked = [wish ?? '', ...browser].map((name) => name.slice(0, 2).toLowerCase());
  return asked.map((name) => languages.find((known) => known === name)).find((known) => known) ?? 'en';
}

/** To be awaited before the first drawing, and again when a person chooses another language. */
export async function loadLanguage(language: Language): Promise<Spoken> {
  spoken = { language, messages: await loaders[language](), formats: formats(language) };
  document.documentElement.lang = language;
  return spoken;
}

/** For code outside of components, such as notices of the store; a language has been loaded by then. */
export function currentMessages(): Messages {
  if (spoken === null) throw new Error('No language has been loaded.');
  return spoken.messages;
}

export function MessagesProvider({ spoken, children }: { spoken: Spoken; children: ReactNode }) {
  return (
    <SpokenContext value={spoken}>
      <I18nProvider locale={spoken.language === 'en' ? 'en-GB' : spoken.language}>{children}</I18nProvider>
    </SpokenContext>
  );
}

function useSpoken(): Spoken {
  const here = use(SpokenContext);
  if (here === null) throw new Error('There is no MessagesProvider around this component.');
  return here;
}

export function useMessages(): Messages {
  return useSpoken().messages;
}

export function useFormats(): Formats {
  return useSpoken().formats;
}
