import { useParams } from '@tanstack/react-router';
import { Link } from 'react-aria-components';
import { FirstSteps } from '../home/index.ts';
import { type Messages, useMessages } from '../messages/index.ts';
import { NotFoundPage, Page } from '../shell/index.ts';
import { useAbout, useStanding } from '../store/index.ts';
import { Icon } from '../ui/index.ts';
import styles from './help.module.css';

/** Beside the pages, not one of them. */
const explorer = ['', 'api', 'explorer', ''].join('/');

type PageName = keyof Messages['help']['pages'];
const pageNames: readonly PageName[] = ['getting-in', 'keys', 'search', 'about'];

/** What each page says, a paragraph a text. */
function useParagraphs(): Readonly<Record<PageName, readonly string[]>> {
  const { help } = useMessages();
  const version = useAbout()?.version ?? '';
  return {
    'getting-in': help.gettingIn,
    keys: help.keysWords,
    search: help.searchWords,
    reference: help.referenceWords,
    about: [help.aboutWords(version)],
  };
}

/** `/help` */
export function HelpIndexPage() {
  const { help, welcome } = useMessages();
  const { user } = useStanding();
  return (
    <Page title={help.title} crumbs={[{ name: help.title }]} hasOwnHeading>
      <div className={styles['help']}>
        <h1 className={styles['title']}>{help.title}</h1>
        <p className={styles['faint']}>{help.words}</p>
        <ul>
          {user !== null && (
            <li>
              <Link href="/help/first-steps" className={styles['entry'] ?? ''}>
                {welcome.title}
                <Icon name="chevron-right" />
              </Link>
            </li>
          )}
          {pageNames.map((name) => (
            <li key={name}>
              <Link href={`/help/${name}`} className={styles['entry'] ?? ''}>
                {help.pages[name]}
                <Icon name="chevron-right" />
              </Link>
            </li>
          ))}
          <li>
            <a href={explorer} className={styles['entry']}>
              {help.api}
              <Icon name="external-link" />
            </a>
          </li>
        </ul>
      </div>
    </Page>
  );
}

/** `/help/{page}` */
export function HelpPage() {
  const { page } = useParams({ from: '/help/$page' });
  const { help } = useMessages();
  const paragraphs = useParagraphs();
  const isPage = (name: string): name is PageName => Object.hasOwn(paragraphs, name);
  const { user } = useStanding();
  if (page === 'first-steps' && user !== null) return <FirstSteps />;
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
      </div>
    </Page>
  );
}
