import { arriving } from './arriving.tsx';
import { filesIn } from './file-facts.tsx';
import { wordsFilterWords } from './filter-words.ts';
import { withValue } from './model.ts';
import { simpleType } from './simple.ts';

export const fileType = simpleType('file', {
  holds: 'files',
  isForWholeForm: true,
  Reader: arriving((parts) => parts.FilesReader),
  Control: arriving((parts) => parts.FilesControl),
  Filter: arriving((parts) => parts.WordsFilter),
  filterWords: wordsFilterWords,
  isChoice: true,
  isWide: true,
  entryOf: (field, value) => ({
    field_id: field.field_id,
    // What is sent for the first time has no description yet, and none is no change.
    value: filesIn(value).map(({ id, description, source }) =>
      source['description'] === undefined ? id : { id, description },
    ),
  }),
  cellOf: (_field, value) => ({ value: value['file_descriptions'] }),
  valueOfCell: (field, cell) => withValue(field, { file_descriptions: cell.value }),
  defaultOf: () => undefined,
  isEmpty: (value) => filesIn(value).length === 0,
  summary: (value, formats) => formats.list(filesIn(value).map(({ name }) => name)),
});
