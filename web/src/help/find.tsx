import { use } from 'react';
import { Link } from 'react-aria-components';
import { findInTexts } from '../kernel/find-in-texts.ts';
import { useMessages } from '../messages/index.ts';
import { Button, EmptyPlace } from '../ui/index.ts';
import { docNamed } from './docs.ts';
import styles from './help.module.css';

const mostShown = 40;

let asked: Promise<typeof import('virtual:docs-text')> | undefined;

/** Their words come when somebody looks for some. */
function useTexts() {
  asked ??= import('virtual:docs-text').catch((error) => {
    asked = undefined;
    throw error;
  });
  return use(asked).texts;
}

/** What the pages say of some words. */
export function Found({ words, clear }: { readonly words: string; clear(): void }) {
  const { help } = useMessages();
  const titleOf = (page: string) => docNamed(page)?.title ?? '';
  const found = findInTexts(useTexts(), titleOf, words);
  if (found.length === 0)
    return (
      <EmptyPlace
        icon="search"
        name={help.foundNothing(words)}
        actions={<Button onPress={clear}>{help.back}</Button>}
      />
    );
  return (
    <>
      <p role="status" className={styles['faint']}>
        {help.found(found.length)}
      </p>
      <ul aria-label={help.results} lang="en">
        {found.slice(0, mostShown).map(({ page, anchor, title, excerpt }) => (
          <li key={`${page}#${anchor}`}>
            <Link
              href={`/help/${page}${anchor === '' ? '' : `#${anchor}`}`}
              className={styles['result'] ?? ''}
            >
              <span className={styles['resultName']}>
                {titleOf(page)}
                {title !== '' && ` › ${title}`}
              </span>
              <span className={styles['excerpt']}>{excerpt}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
