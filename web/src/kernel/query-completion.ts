/*
 * What completion of queries has in common, whatever trackers they are about: which word is being written, and which of what could stand there
 * is meant by it.
 */

/** What was typed of the next word or text, and all before it. */
export interface TypedWord {
  readonly before: string;
  readonly text: string;
  readonly from: number;
}

/** Where the text in quotes begins that is not closed yet. */
function openQuote(text: string): number {
  let quote = '';
  let from = -1;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quote === '' && (sign === '"' || sign === "'")) [quote, from] = [sign, at];
    else if (quote !== '' && sign === '\\') at += 1;
    else if (sign === quote) [quote, from] = ['', -1];
  }
  return from;
}

export function typedIn(text: string): TypedWord {
  const quote = openQuote(text);
  if (quote >= 0) return { before: text.slice(0, quote), text: text.slice(quote + 1), from: quote };
  const word = /[@\w.-]*$/.exec(text)?.[0] ?? '';
  const from = text.length - word.length;
  return { before: text.slice(0, from), text: word, from };
}

/** Words that stand for whole conditions about links. */
const linkPhrases: Readonly<Record<string, readonly string[]>> = {
  IS: [
    'IS LINKED TO',
    'IS NOT LINKED TO',
    'IS LINKED FROM',
    'IS NOT LINKED FROM',
    'IS COVERED',
    'IS NOT COVERED',
    'IS COVERING',
    'IS NOT COVERING',
  ],
  WITH: ['WITH PARENT', 'WITH CHILDREN'],
  WITHOUT: ['WITHOUT PARENT', 'WITHOUT CHILDREN'],
  ARTIFACT: ['ARTIFACT = '],
  TRACKER: ['TRACKER = ', 'TRACKER != '],
  TYPE: ['TYPE '],
};

/** Signs and the second halves of phrases are typed faster than chosen. */
export const isOfferedWord = (word: string) => /^[A-Z]{2,}$/.test(word);

/** What is written for a word that can stand somewhere. */
export function phrasesOf(word: string, isFirst: boolean): readonly string[] {
  // Between conditions `WITH` begins the type of a link.
  const phrases = word === 'WITH' && !isFirst ? ['WITH TYPE '] : (linkPhrases[word] ?? [word]);
  return phrases.map((phrase) => (phrase.endsWith(' ') ? phrase : `${phrase} `));
}

export const linkTypes = ['_is_child', '_covered_by'];

const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

interface Offered {
  readonly label: string;
  readonly detail?: string | undefined;
  readonly text: string;
}

const wordsOf = ({ label, detail = '' }: Offered) => [label, detail].map(folded);

const mostOptions = 60;

/** Those that have what was typed in them, those that begin with it first. */
export function meantOptions<Option extends Offered>(
  options: readonly Option[],
  typed: TypedWord,
  written: string,
): readonly Option[] {
  const wanted = folded(typed.text);
  const rank = (option: Option) => (wordsOf(option).some((text) => text.startsWith(wanted)) ? 0 : 1);
  return options
    .filter(
      (option) =>
        wordsOf(option).some((text) => text.includes(wanted)) &&
        option.text.trim() !== written.slice(typed.from),
    )
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, mostOptions);
}

/** Where the word or sign ends that stands where a query is wrong. */
export const tokenEnd = (text: string, at: number): number =>
  at + (/^(?:[@\w.-]+|[<>!=]+|\S)/.exec(text.slice(at))?.[0].length ?? 0);
