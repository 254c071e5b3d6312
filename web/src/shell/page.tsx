import { type ReactNode, useEffect, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { useAbout, useUnread, useVisit } from '../store/index.ts';
import { AskingLine, classes, IconButton, Note } from '../ui/index.ts';
import { Bar, type Crumb } from './bar.tsx';
import { useBanner } from './calls.ts';
import styles from './page.module.css';
import { type Place, useSetPlace } from './place.ts';

export interface PageProps {
  /** Of the window: `bug #42 The basket forgets · Web Shop`. */
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  /** Whether the last crumb is the heading of the page; true where the page has a heading of its own. */
  readonly hasOwnHeading?: boolean | undefined;
  /** Acts of this page in the bar, before search. */
  readonly actions?: ReactNode;
  readonly place?: Place | undefined;
  /** True where the page has a primary button of its own: *Create* is a plain one then. */
  readonly hasOwnPrimary?: boolean | undefined;
  /** What stands beside the main part: the side panel. */
  readonly panel?: ReactNode;
  /** Whether what is seen is asked for again. */
  readonly isAsking?: boolean | undefined;
  /** True where the page scrolls inside itself, as a table does. */
  readonly fillsHeight?: boolean | undefined;
  readonly children: ReactNode;
}

/** Announcements that were put away on this visit. */
const hidden = new Set<string>();

function ProjectBanner({ project }: { readonly project: string }) {
  const { shell } = useMessages();
  const words = useBanner(project);
  const key = `${project} ${words}`;
  const [, redraw] = useState(0);
  if (words === null || hidden.has(key)) return null;
  const close = () => {
    hidden.add(key);
    redraw((count) => count + 1);
  };
  return (
    <aside aria-label={shell.banner}>
      <Note
        meaning="info"
        className={styles['banner'] ?? ''}
        actions={<IconButton icon="x" label={shell.bannerClose} size="small" onPress={close} />}
      >
        {words}
      </Note>
    </aside>
  );
}

/** A page inside the frame: its bar with breadcrumbs, and what it shows. */
export function Page(props: PageProps) {
  const {
    title,
    crumbs,
    hasOwnHeading = false,
    hasOwnPrimary = false,
    actions,
    place,
    panel,
    children,
  } = props;
  const name = useAbout()?.name ?? 'Atelier';
  const unread = useUnread();
  useEffect(() => {
    const words = title === '' ? name : `${title} · ${name}`;
    document.title = unread === 0 ? words : `(${unread}) ${words}`;
  }, [title, name, unread]);
  useSetPlace(place);
  // One that is still loaded has no title, and is drawn anew when it has come.
  useVisit(title === '' ? undefined : (place?.tracker ?? place?.project));
  return (
    <div className={styles['page']}>
      <Bar crumbs={crumbs} hasOwnHeading={hasOwnHeading} hasOwnPrimary={hasOwnPrimary} actions={actions} />
      {place?.project !== undefined && <ProjectBanner project={place.project} />}
      <div className={styles['middle']}>
        <main
          id="main"
          tabIndex={-1}
          className={classes(styles['main'], props.fillsHeight === true && styles['filled'])}
        >
          <div className={styles['asking']}>
            <AskingLine isAsking={props.isAsking ?? false} />
          </div>
          {children}
        </main>
        {panel}
      </div>
    </div>
  );
}
