import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-aria-components';
import { ArtifactPanel } from '../artifact/index.ts';
import { pageOf } from '../kernel/addresses.ts';
import { useMessages } from '../messages/index.ts';
import { Page, Part, useCommands } from '../shell/index.ts';
import { Button, EmptyPlace, Icon, type IconName, SearchField, Select } from '../ui/index.ts';
import { type NamedKind, type SearchWish, useFacets, useNamed } from './calls.ts';
import { addressOf, Facets } from './facets.tsx';
import { Results, type ResultsProps } from './results.tsx';
import styles from './search.module.css';

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

const openIn = (text: string | undefined): boolean | undefined =>
  text === '1' ? true : text === '0' ? false : undefined;

const namedIcons: Readonly<Record<NamedKind, IconName>> = {
  projects: 'folder',
  people: 'user',
  repositories: 'folder-code',
};

/** Projects, people and repositories of that name, in one line. */
function Named({ words }: { readonly words: string }) {
  const { search } = useMessages();
  const named = useNamed(words);
  if (named.length === 0) return null;
  return (
    <nav className={styles['named']} aria-label={search.named}>
      <span className={styles['namedWords']}>{search.named}</span>
      {named.map(({ uri, kind, label, html_url: address }) => (
        <Link key={uri} href={pageOf(window.location.origin, address)} className={styles['namedLink'] ?? ''}>
          <Icon name={namedIcons[kind]} size={14} />
          {label}
        </Link>
      ))}
    </nav>
  );
}

type Position = Parameters<ResultsProps['onPosition']>[0];

function Panel({
  id,
  position,
  onClose,
}: {
  readonly id: number;
  readonly position: Position | undefined;
  onClose(): void;
}) {
  const { tracker } = useMessages();
  useCommands([{ id: 'search.close-panel', name: tracker.closePanel, keys: 'escape', run: onClose }]);
  const { place = 0, size = 0, openAt } = position ?? {};
  return (
    <ArtifactPanel
      id={id}
      onClose={onClose}
      position={position === undefined ? undefined : { place: place + 1, size }}
      onPrevious={place > 0 ? () => openAt?.(place - 1) : undefined}
      onNext={place + 1 < size ? () => openAt?.(place + 1) : undefined}
    />
  );
}

function SearchForm({ wish, look }: { readonly wish: SearchWish; look(next: SearchWish): void }) {
  const { search } = useMessages();
  const { words, isOpen } = wish;
  const [text, setText] = useState(words);
  const box = useRef<HTMLInputElement>(null);
  // In place of the way to this page.
  useCommands([
    {
      id: 'search',
      name: search.otherWords,
      keys: '/',
      icon: 'search',
      run: () => box.current?.select(),
    },
  ]);
  useEffect(() => setText(words), [words]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    look({ ...wish, words: text.trim() });
  };
  return (
    <search>
      <form className={styles['form']} onSubmit={submit}>
        <SearchField
          inputRef={box}
          aria-label={search.words}
          placeholder={search.placeholder}
          value={text}
          onChange={setText}
          autoFocus={words === ''}
          className={styles['field'] ?? ''}
        />
        <Select
          aria-label={search.state}
          options={[
            { id: 'all', name: search.states.all },
            { id: 'open', name: search.states.open },
            { id: 'closed', name: search.states.closed },
          ]}
          value={isOpen === undefined ? 'all' : isOpen ? 'open' : 'closed'}
          onChange={(id) =>
            look({
              ...wish,
              words: text.trim(),
              isOpen: id === 'all' || id === null ? undefined : id === 'open',
            })
          }
          className={styles['select']}
        />
        <Button kind="plain" type="submit">
          {search.button}
        </Button>
      </form>
    </search>
  );
}

/** `/search?words=&project=&tracker=&open=` */
export function SearchPage() {
  const { search } = useMessages();
  const { words = '', project, tracker, open, artifact } = useSearch({ from: '/search' });
  const navigate = useNavigate();
  const [position, setPosition] = useState<Position>();
  const wish: SearchWish = {
    words,
    projectId: numberIn(project),
    trackerId: numberIn(tracker),
    isOpen: openIn(open),
  };
  const facets = useFacets(wish) ?? [];
  const opened = numberIn(artifact);
  const show = (id: number | undefined) =>
    void navigate({
      to: '/search',
      search: (before) => ({ ...before, artifact: id === undefined ? undefined : String(id) }),
      replace: opened !== undefined && id !== undefined,
    });
  return (
    <Page
      title={words === '' ? search.title : `${search.title}: ${words}`}
      crumbs={[{ name: search.title }]}
      panel={
        opened !== undefined && <Panel id={opened} position={position} onClose={() => show(undefined)} />
      }
    >
      <SearchForm wish={wish} look={(next) => void navigate({ href: addressOf(next) })} />
      {words === '' ? (
        <div className={styles['pad']}>
          <EmptyPlace icon="search" name={search.empty}>
            {search.hint}
          </EmptyPlace>
        </div>
      ) : (
        <>
          <Part name="named">
            <Named words={words} />
          </Part>
          <div className={styles['columns']}>
            <Facets wish={wish} facets={facets} />
            <section className={styles['results']} aria-label={search.found}>
              <Results
                key={addressOf(wish)}
                wish={wish}
                opened={opened}
                onOpen={show}
                onPosition={setPosition}
              />
            </section>
          </div>
        </>
      )}
    </Page>
  );
}
