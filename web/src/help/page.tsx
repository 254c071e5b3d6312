import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense, useDeferredValue, useEffect, useState } from 'react';
import { Link } from 'react-aria-components';
import { FirstSteps } from '../home/index.ts';
import { type Messages, useMessages } from '../messages/index.ts';
import { goToTourStep, NotFoundPage, Outline, Page, useDemo } from '../shell/index.ts';
import { useAbout, useStanding } from '../store/index.ts';
import { Icon, SearchField, Skeleton } from '../ui/index.ts';
import { docNamed, docsByGroup } from './docs.ts';
import { DocumentPage } from './document.tsx';
import { Found } from './find.tsx';
import styles from './help.module.css';
import { AllKeys } from './keys.tsx';
import { Licences } from './licences.tsx';

/** Beside the pages, not one of them. */
const explorer = ['', 'api', 'explorer', ''].join('/');

type PageName = keyof Messages['help']['pages'];
const pageNames: readonly PageName[] = ['getting-in', 'keys', 'search', 'about'];

/** What each page says, a paragraph a text. */
function useParagraphs(): Readonly<Record<PageName, readonly string[]>> {
  const { help } = useMessages();
  const version = useAbout()?.version ?? '';
  const { key, val }: { readonly key?: string; readonly val?: string } = useSearch({ strict: false });
  return {
    'getting-in': help.gettingIn,
    keys: help.keysWords,
    search: help.searchWords,
    reference: [help.referenceWords, ...(key === undefined ? [] : [help.noReference(`${key} #${val}`)])],
    about: [help.aboutWords(version)],
  };
}

function Entry({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <li>
      <Link href={to} className={styles['entry'] ?? ''}>
        {children}
        <Icon name="chevron-right" />
      </Link>
    </li>
  );
}

/** What the application says of itself. */
function InShort() {
  const { help, welcome } = useMessages();
  const { user } = useStanding();
  const demo = useDemo();
  return (
    <section aria-label={help.short} className={styles['group']}>
      <h2 className={styles['heading']}>{help.short}</h2>
      <ul>
        {user !== null && <Entry to="/help/first-steps">{welcome.title}</Entry>}
        {demo !== undefined && (
          <li>
            <button type="button" className={styles['entry']} onClick={() => goToTourStep(1)}>
              {welcome.tour.name}
              <Icon name="chevron-right" />
            </button>
          </li>
        )}
        {pageNames.map((name) => (
          <Entry key={name} to={`/help/${name}`}>
            {help.pages[name]}
          </Entry>
        ))}
        <li>
          <a href={explorer} className={styles['entry']}>
            {help.api}
            <Icon name="external-link" />
          </a>
        </li>
      </ul>
    </section>
  );
}

/** The pages of `docs/`, by who they are for. Reasons are many, and few people ask for them. */
function Documents() {
  const { help } = useMessages();
  return docsByGroup().map(([group, entries]) => {
    const list = (
      <ul lang="en">
        {entries.map(({ name, title }) => (
          <Entry key={name} to={`/help/${name}`}>
            {title}
          </Entry>
        ))}
      </ul>
    );
    return (
      <section key={group} aria-label={help.groups[group]} className={styles['group']}>
        {group === 'reasons' ? (
          <details>
            <summary className={styles['heading']}>{help.groups[group]}</summary>
            {list}
          </details>
        ) : (
          <>
            <h2 className={styles['heading']}>{help.groups[group]}</h2>
            {list}
          </>
        )}
      </section>
    );
  });
}

/** `/help` */
export function HelpIndexPage() {
  const { help } = useMessages();
  const { words = '' } = useSearch({ from: '/help' });
  const navigate = useNavigate();
  const [text, setText] = useState(words);
  useEffect(() => setText(words), [words]);
  const look = (next: string) => {
    setText(next);
    void navigate({ to: '/help', search: next.trim() === '' ? {} : { words: next }, replace: true });
  };
  const sought = useDeferredValue(text.trim());
  return (
    <Page title={help.title} crumbs={[{ name: help.title }]} hasOwnHeading>
      <div className={styles['help']}>
        <h1 className={styles['title']}>{help.title}</h1>
        <p className={styles['faint']}>{help.words}</p>
        <search className={styles['search']}>
          <SearchField
            aria-label={help.searchLabel}
            placeholder={help.searchLabel}
            value={text}
            onChange={look}
          />
        </search>
        {sought === '' ? (
          <>
            <InShort />
            <Documents />
          </>
        ) : (
          <Suspense fallback={<Skeleton />}>
            <Found words={sought} clear={() => look('')} />
          </Suspense>
        )}
      </div>
    </Page>
  );
}

/** `/help/{page}`, `/help/{folder}/{page}` */
export function HelpPage() {
  const { folder, page: last = '' } = useParams({ strict: false });
  const page = folder === undefined ? last : `${folder}/${last}`;
  const { help } = useMessages();
  const paragraphs = useParagraphs();
  const isPage = (name: string): name is PageName => Object.hasOwn(paragraphs, name);
  const { user } = useStanding();
  const doc = docNamed(page);
  if (page === 'first-steps' && user !== null) return <FirstSteps />;
  if (doc !== undefined)
    return (
      <Suspense key={page} fallback={<Outline />}>
        <DocumentPage doc={doc} />
      </Suspense>
    );
  if (!isPage(page)) return <NotFoundPage />;
  const title = help.pages[page];
  return (
    <Page title={title} crumbs={[{ name: help.title, to: '/help' }, { name: title }]} hasOwnHeading>
      <div className={styles['help']}>
        <h1 className={styles['title']}>{title}</h1>
        {paragraphs[page].map((text) => (
          <p key={text} className={styles['prose']}>
            {text}
          </p>
        ))}
        {page === 'keys' && <AllKeys />}
        {page === 'about' && (
          <Suspense fallback={<Skeleton />}>
            <Licences />
          </Suspense>
        )}
        <nav className={styles['ways']} aria-label={help.waysOn}>
          <Link href="/help" className={styles['way'] ?? ''}>
            <Icon name="arrow-left" />
            {help.back}
          </Link>
        </nav>
      </div>
    </Page>
  );
}
