// What a value is read and changed by. It arrives after the rows of a table, or with the page that shows an artifact.
export { DateControl, DateReader, MomentReader } from './dates.tsx';
export { FilesControl, FilesReader } from './files.tsx';
export { DateFilter, ListFilter, NumberFilter, ReferenceFilter, WordsFilter } from './filters.tsx';
export { LinksControl, LinksReader } from './links.tsx';
export {
  BoxesControl,
  ListReader,
  ManyControl,
  OneControl,
  PersonReader,
  RadioControl,
  TokensControl,
  TokensReader,
} from './lists.tsx';
export { ComputedControl, ComputedReader, DecimalControl, NumberReader, WholeControl } from './numbers.tsx';
export { AnyReader, BurndownReader, CrossReader } from './others.tsx';
export { PermissionsControl, PermissionsReader } from './permissions.tsx';
export { TextControl, TextReader } from './texts.tsx';
export { WordsControl, WordsReader } from './words.tsx';
