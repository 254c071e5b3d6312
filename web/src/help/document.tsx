import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Link } from 'react-aria-components';
import { useMessages } from '../messages/index.ts';
import { Page } from '../shell/index.ts';
import { Icon, RichText } from '../ui/index.ts';
import { type DocEntry, type DocSection, docsByGroup, useGroupName, useSections } from './docs.ts';
import { Examples } from './examples.tsx';
import styles from './help.module.css';

function Contents({ name, sections }: { readonly name: string; readonly sections: readonly DocSection[] }) {
  return (
    <ul lang="en">
      {sections.map(({ id, title, level }) => (
        <li key={id} data-level={level}>
          <Link href={`/help/${name}#${id}`} className={styles['anchor'] ?? ''}>
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Beside the text where there is room, folded above it where there is none. */
function TableOfContents(props: { readonly name: string; readonly sections: readonly DocSection[] }) {
  const { help } = useMessages();
  return (
    <>
      <details className={styles['contentsAbove']}>
        <summary>{help.contents}</summary>
        <Contents {...props} />
      </details>
      <nav className={styles['contentsBeside']} aria-label={help.contents}>
        <p className={styles['contentsTitle']}>{help.contents}</p>
        <Contents {...props} />
      </nav>
    </>
  );
}

function Section({ section }: { readonly section: DocSection }) {
  const { id, level, title, html } = section;
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section id={id === '' ? undefined : id} className={styles['section']}>
      {title !== '' && <Heading className={styles['heading']}>{title}</Heading>}
      <RichText html={html} className={styles['text'] ?? ''} />
    </section>
  );
}

/** The page that comes after this one among those for the same people. */
function Next({ doc }: { readonly doc: DocEntry }) {
  const { help } = useMessages();
  const entries = docsByGroup().find(([, group]) => group.includes(doc))?.[1] ?? [];
  const next = entries[entries.indexOf(doc) + 1];
  return (
    <nav className={styles['ways']} aria-label={help.waysOn}>
      <Link href="/help" className={styles['way'] ?? ''}>
        <Icon name="arrow-left" />
        {help.back}
      </Link>
      {next !== undefined && (
        <Link href={`/help/${next.name}`} className={styles['way'] ?? ''}>
          <span lang="en">{next.title}</span>
          <Icon name="arrow-right" />
        </Link>
      )}
    </nav>
  );
}

/** `/help/{name of a file of docs/}` */
export function DocumentPage({ doc }: { readonly doc: DocEntry }) {
  const { help } = useMessages();
  const { hash } = useLocation();
  const sections = useSections(doc);
  const text = useRef<HTMLElement>(null);
  useEffect(() => {
    const section = hash === '' ? null : text.current?.querySelector(`#${CSS.escape(hash)}`);
    const scrolled = section?.closest('main');
    // The page scrolls inside its frame, and nothing else may move.
    if (section && scrolled)
      scrolled.scrollTop += section.getBoundingClientRect().top - scrolled.getBoundingClientRect().top - 12;
  }, [hash]);
  const crumbs = [
    { name: help.title, to: '/help' },
    { name: useGroupName(doc.name), to: '/help' },
    { name: doc.title },
  ];
  const named = sections.filter(({ title }) => title !== '');
  return (
    <Page title={doc.title} crumbs={crumbs} hasOwnHeading>
      <div className={styles['document']}>
        <article ref={text} className={styles['article']}>
          <h1 className={styles['title']} lang="en">
            {doc.title}
          </h1>
          {named.length > 1 && <TableOfContents name={doc.name} sections={named} />}
          {doc.name === 'query-language' && <Examples />}
          <div lang="en">
            {sections.map((section) => (
              <Section key={section.id} section={section} />
            ))}
          </div>
          <Next doc={doc} />
        </article>
      </div>
    </Page>
  );
}
