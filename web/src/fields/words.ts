import { arriving } from './arriving.tsx';
import { wordsFilterWords } from './filter-words.ts';
import { simpleType } from './simple.ts';

export const stringType = simpleType('string', {
  holds: 'line',
  Reader: arriving((parts) => parts.WordsReader),
  Control: arriving((parts) => parts.WordsControl),
  Filter: arriving((parts) => parts.WordsFilter),
  filterWords: wordsFilterWords,
});
