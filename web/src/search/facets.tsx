import { Link } from 'react-aria-components';
import { writeSearch } from '../kernel/addresses.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { classes, TrackerMark } from '../ui/index.ts';
import type { ProjectFacet, SearchWish } from './calls.ts';
import styles from './search.module.css';

/** The address of a search. */
export function addressOf({ words, projectId, trackerId, isOpen }: SearchWish): string {
  const open = isOpen === undefined ? undefined : isOpen ? '1' : '0';
  return `/search?${writeSearch({ words, project: projectId, tracker: trackerId, open })}`;
}

function Entry({
  name,
  count,
  color,
  href,
  isChosen,
  isBelow = false,
}: {
  readonly name: string;
  readonly count: number;
  readonly color?: string;
  readonly href: string;
  readonly isChosen: boolean;
  readonly isBelow?: boolean;
}) {
  const formats = useFormats();
  return (
    <Link
      href={href}
      className={classes(styles['facet'], isBelow && styles['below'])}
      {...(isChosen ? { 'aria-current': 'true' } : {})}
    >
      {color !== undefined && <TrackerMark colour={color} />}
      <span className={styles['facetName']}>{name}</span>
      <span className={styles['facetCount']}>{formats.number(count)}</span>
    </Link>
  );
}

/** Where the words are, by project and tracker: each is a way to narrow the search. */
export function Facets({
  wish,
  facets,
}: {
  readonly wish: SearchWish;
  readonly facets: readonly ProjectFacet[];
}) {
  const { search } = useMessages();
  const { words, isOpen, projectId, trackerId } = wish;
  const total = facets.reduce((sum, { count }) => sum + count, 0);
  if (facets.length === 0) return null;
  return (
    <nav className={styles['facets']} aria-label={search.narrow}>
      <ul>
        <li>
          <Entry
            name={search.everywhere}
            count={total}
            href={addressOf({ words, isOpen })}
            isChosen={projectId === undefined && trackerId === undefined}
          />
        </li>
        {facets.map((project) => (
          <li key={project.id}>
            <Entry
              name={project.label}
              count={project.count}
              href={addressOf({ words, isOpen, projectId: project.id })}
              isChosen={projectId === project.id}
            />
            <ul>
              {project.trackers.map(({ id, label, color, count }) => (
                <li key={id}>
                  <Entry
                    name={label}
                    count={count}
                    color={color}
                    href={addressOf({ words, isOpen, trackerId: id })}
                    isChosen={trackerId === id}
                    isBelow
                  />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  );
}
