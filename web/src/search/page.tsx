import { UnavailableError } from '@atelier/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { Link } from 'react-aria-components';
import { useMessages } from '../messages/index.ts';
import { announce, Page } from '../shell/index.ts';
import { useList, useStanding } from '../store/index.ts';
import { Button, EmptyPlace, ErrorPlace, SearchField, Select, Skeleton, TrackerMark } from '../ui/index.ts';
import { type FoundArtifact, foundSource } from './calls.ts';
import styles from './search.module.css';

type Snippet = FoundArtifact['snippets'][number];

/** The text around what was found, which stands out in it. */
function Marked({ text, highlights }: Pick<Snippet, 'text' | 'highlights'>) {
  const edges = highlights.toSorted((left, right) => left.start - right.start);
  let at = 0;
  const pieces = edges.flatMap(({ start, end }) => {
    const before = text.slice(at, start);
    at = end;
    return [before, <mark key={start}>{text.slice(start, end)}</mark>];
  });
  return [...pieces, text.slice(at)];
}

function SnippetLine({ snippet }: { readonly snippet: Snippet }) {
  const { search } = useMessages();
  return (
    <span className={styles['snippet']}>
      <span className={styles['place']}>{search.places[snippet.place]}</span>
      <span>
        <Marked {...snippet} />
      </span>
    </span>
  );
}

function Found({ found }: { readonly found: FoundArtifact }) {
  const { search } = useMessages();
  const { id, tracker, xref, title, snippets } = found;
  const inTitle = snippets.find(({ place }) => place === 'title');
  const others = snippets.filter((snippet) => snippet !== inTitle).slice(0, 2);
  return (
    <li>
      <Link href={`/artifacts/${id}`} className={styles['found'] ?? ''}>
        <TrackerMark colour={tracker.color_name} />
        <span className={styles['reference']}>{xref}</span>
        <span className={styles['words']}>
          <span className={styles['title']}>
            {inTitle === undefined ? (title ?? search.untitled) : <Marked {...inTitle} />}
          </span>
          {others.map((snippet) => (
            <SnippetLine key={`${snippet.place} ${snippet.text}`} snippet={snippet} />
          ))}
        </span>
        <span className={styles['project']}>{tracker.project.label}</span>
      </Link>
    </li>
  );
}

function Results({ words, projectId }: { readonly words: string; readonly projectId: number | undefined }) {
  const { search } = useMessages();
  const source = foundSource(words, projectId);
  const [wanted, setWanted] = useState(source.pageSize);
  const list = useList(source, { from: 0, to: wanted });
  const { size } = list;
  useEffect(() => {
    if (size !== undefined) announce(search.results(size));
  }, [size, search]);
  if (size === undefined && list.error !== null)
    return (
      <div className={styles['pad']}>
        <ErrorPlace
          words={list.error instanceof UnavailableError ? search.tooSlow : list.error.message}
          onRetry={list.askAgain}
        />
      </div>
    );
  if (size === undefined) return <Skeleton lines={8} className={styles['pad'] ?? ''} />;
  if (size === 0)
    return (
      <div className={styles['pad']}>
        <EmptyPlace icon="search" name={search.nothing(words)}>
          {search.nothingWords}
        </EmptyPlace>
      </div>
    );
  const seen = Array.from({ length: Math.min(size, wanted) }, (_, index) => list.itemAt(index));
  return (
    <>
      <p className={styles['count']}>{search.results(size)}</p>
      <ul>{seen.map((found) => found !== undefined && <Found key={found.id} found={found} />)}</ul>
      {wanted < size && (
        <div className={styles['pad']}>
          <Button onPress={() => setWanted(wanted + source.pageSize)} isBusy={list.isAsking}>
            {search.more}
          </Button>
        </div>
      )}
    </>
  );
}

/** `/search?words=&project=` */
export function SearchPage() {
  const { search } = useMessages();
  const { words = '', project } = useSearch({ from: '/search' });
  const { memberships } = useStanding();
  const navigate = useNavigate();
  const [text, setText] = useState(words);
  useEffect(() => setText(words), [words]);
  const look = (next: { words?: string; project?: string | undefined }) =>
    void navigate({ to: '/search', search: { words, ...(project ? { project } : {}), ...next } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    look({ words: text.trim() });
  };
  const known = memberships.map(({ project: { id, label_without_icon: name } }) => ({
    id: String(id),
    name,
  }));
  return (
    <Page title={words === '' ? search.title : `${search.title}: ${words}`} crumbs={[{ name: search.title }]}>
      <search>
        <form className={styles['form']} onSubmit={submit}>
          <SearchField
            aria-label={search.words}
            placeholder={search.placeholder}
            value={text}
            onChange={setText}
            autoFocus={words === ''}
            className={styles['field'] ?? ''}
          />
          {known.length > 0 && (
            <Select
              aria-label={search.project}
              options={[{ id: 'all', name: search.allProjects }, ...known]}
              value={project ?? 'all'}
              onChange={(id) =>
                look({ words: text.trim(), project: id === 'all' || id === null ? undefined : id })
              }
              className={styles['select']}
            />
          )}
          <Button kind="plain" type="submit">
            {search.button}
          </Button>
        </form>
      </search>
      {words === '' ? (
        <div className={styles['pad']}>
          <EmptyPlace icon="search" name={search.empty}>
            {search.hint}
          </EmptyPlace>
        </div>
      ) : (
        <Results
          key={`${words} ${project}`}
          words={words}
          projectId={project === undefined ? undefined : Number(project)}
        />
      )}
    </Page>
  );
}
