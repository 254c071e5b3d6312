/*
 * Every word that people read. en/ and fr/ have one file a room; a word that French lacks is a type error.
 *
 * en.ts, fr.ts      rooms whose words are on the first pages; en-later.ts, en-entry.ts and the same in French (fr-*.ts): words that arrive later, and those to sign in with
 * provider.tsx      which language is spoken, and `useMessages`; formats.ts numbers and dates in its forms
 */

export type { Formats } from './formats.ts';
export {
  awayWords,
  currentMessages,
  languageOf,
  languages,
  loadAllWords,
  loadEntryWords,
  loadLanguage,
  type Messages,
  MessagesProvider,
  useFormats,
  useMessages,
} from './provider.tsx';
