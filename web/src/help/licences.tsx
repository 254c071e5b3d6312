import { Suspense, use, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { Skeleton } from '../ui/index.ts';
import styles from './help.module.css';

type List = typeof import('virtual:licences')['libraries'];

interface Entry {
  /** In the list of all. */
  readonly place: number;
  readonly name: string;
  readonly version: string;
}

/** One that could not be loaded is asked for again by the next who looks. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= load().catch((error) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}

const loadList = once(() => import('virtual:licences'));
const loadTexts = once(() => import('virtual:licence-texts'));

/** By licence, the one of most libraries first. */
function byLicence(libraries: List): (readonly [string, readonly Entry[]])[] {
  const entries = libraries.map(([name, version, licence], place) => ({ place, name, version, licence }));
  return [...Map.groupBy(entries, ({ licence }) => licence)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
}

/** The words of one library. All of them come when somebody reads the first. */
function Words({ place, name }: Entry) {
  const { help } = useMessages();
  const { paragraphs, texts } = use(loadTexts());
  const text = (texts[place] ?? []).map((paragraph) => paragraphs[paragraph]).join('\n\n');
  if (text === '') return <p className={styles['faint']}>{help.noLicenceText}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by arrows.
    <section className={styles['licence']} tabIndex={0} aria-label={help.licenceOf(name)} lang="en">
      {text}
    </section>
  );
}

function Library({ entry }: { readonly entry: Entry }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className={styles['library']}>
          {entry.name} <span className={styles['version']}>{entry.version}</span>
        </summary>
        {isOpen && (
          <Suspense fallback={<Skeleton />}>
            <Words {...entry} />
          </Suspense>
        )}
      </details>
    </li>
  );
}

/** Whose work the product is made with, and under which licences. */
export function Licences() {
  const { help } = useMessages();
  const { libraries } = use(loadList());
  return (
    <section aria-label={help.libraries} className={styles['group']}>
      <h2 className={styles['heading']}>{help.libraries}</h2>
      <p className={styles['prose']}>{help.librariesWords(libraries.length)}</p>
      {byLicence(libraries).map(([licence, entries]) => (
        <details key={licence} className={styles['licences']}>
          <summary className={styles['libraries']}>
            {licence === '' ? help.unnamedLicence : licence}
            <span className={styles['version']}>{entries.length}</span>
          </summary>
          <ul>
            {entries.map((entry) => (
              <Library key={entry.place} entry={entry} />
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}
