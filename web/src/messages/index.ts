export type { Messages } from './en.ts';
export { type Formats, formats, type Language } from './formats.ts';
export {
  currentMessages,
  languageOf,
  languages,
  loadLanguage,
  MessagesProvider,
  useFormats,
  useMessages,
} from './provider.tsx';
