export { type Formats, formats, type Language } from './formats.ts';
export {
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
