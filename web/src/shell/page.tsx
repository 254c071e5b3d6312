import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useAbout } from '../store/index.ts';
import { type Place, useSetPlace } from './place.ts';

/** A part of the way from the whole to what is shown. The last one is what is shown. */
export interface Crumb {
  readonly name: string;
  /** The address it leads to; what is shown needs none. */
  readonly to?: string | undefined;
  /** The colour of a tracker. */
  readonly color?: string | undefined;
  /** What else there is beside it: a menu. */
  readonly siblings?: ReactNode;
}

export interface PageProps {
  /** Of the window: `bug #42 The basket forgets · Web Shop`. */
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  /** Whether the last crumb is the heading of the page; false where the page has a heading of its own. */
  readonly hasOwnHeading?: boolean | undefined;
  /** Acts of this page in the bar, before search. */
  readonly actions?: ReactNode;
  readonly place?: Place | undefined;
  /** True where the page has a primary button of its own: *Create* is a plain one then. */
  readonly hasOwnPrimary?: boolean | undefined;
  /** What stands beside the main part: the side panel. */
  readonly panel?: ReactNode;
  readonly children: ReactNode;
}

/** A page inside the frame: its bar with breadcrumbs, and what it shows. */
export function Page({ title, crumbs, hasOwnHeading = false, actions, place, panel, children }: PageProps) {
  const name = useAbout()?.name ?? 'Atelier';
  useEffect(() => {
    document.title = title === '' ? name : `${title} · ${name}`;
  }, [title, name]);
  useSetPlace(place);
  return (
    <>
      <header>
        <nav aria-label="Breadcrumbs">
          {crumbs.map((crumb) => (
            <CrumbPart key={crumb.name} crumb={crumb} isHeading={!hasOwnHeading && crumb === crumbs.at(-1)} />
          ))}
        </nav>
        {actions}
      </header>
      <main id="main">{children}</main>
      {panel}
    </>
  );
}

function CrumbPart({ crumb, isHeading }: { readonly crumb: Crumb; readonly isHeading: boolean }) {
  const name = crumb.to === undefined ? crumb.name : <Link to={crumb.to}>{crumb.name}</Link>;
  return isHeading ? <h1>{name}</h1> : <span>{name}</span>;
}
