import type { Project } from '@atelier/client/routes';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-aria-components';
import { whoSees } from '../kernel/project-access.ts';
import { useMessages } from '../messages/index.ts';
import { useAbout, useList, useStanding, wordsOfError } from '../store/index.ts';
import { EmptyPlace, ErrorPlace, Icon, LinkButton, RelativeTime, Skeleton } from '../ui/index.ts';
import { projectsSource } from './calls.ts';
import styles from './project-list.module.css';

function ProjectRow({ project }: { readonly project: Project }) {
  const { projects } = useMessages();
  const accesses: Readonly<Record<string, string>> = projects.accesses;
  const mode = useAbout()?.access_mode;
  const { shortname, label_without_icon: name, description, access, member_count: members } = project;
  return (
    <li>
      <Link href={`/projects/${shortname}`} className={styles['row'] ?? ''}>
        <Icon name="folder" />
        <span className={styles['names']}>
          <span className={styles['name']}>{name}</span>
          <span className={styles['description']}>{description}</span>
        </span>
        <span className={styles['fact']}>{accesses[whoSees(access, mode)] ?? access}</span>
        <span className={styles['number']}>{members === undefined ? '' : projects.memberCount(members)}</span>
        <span className={styles['time']}>
          {project.last_activity_date !== undefined && <RelativeTime at={project.last_activity_date} />}
        </span>
      </Link>
    </li>
  );
}

/** Reads on when the end of what is there comes into sight. */
function useSeenEnd(onSeen: () => void) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen();
    });
    observer.observe(element);
    return () => observer.disconnect();
  });
  return end;
}

export interface ProjectListProps {
  readonly words: string;
  readonly isMine: boolean;
  readonly order: 'name' | 'activity';
  /** Told how many there are. */
  onSize?(size: number): void;
}

/** Projects that one may see, read as they are scrolled to. */
export function ProjectList({ words, isMine, order, onSize }: ProjectListProps) {
  const { projects } = useMessages();
  const { may_create_projects: mayCreate } = useStanding();
  const source = projectsSource({ words, isMine, order });
  const [wanted, setWanted] = useState(source.pageSize);
  const list = useList(source, { from: 0, to: wanted });
  const { size } = list;
  useEffect(() => {
    if (size !== undefined) onSize?.(size);
  }, [size, onSize]);
  const end = useSeenEnd(() => {
    if (size !== undefined && wanted < size) setWanted(wanted + source.pageSize);
  });
  if (size === undefined && list.error !== null)
    return (
      <div className={styles['pad']}>
        <ErrorPlace words={wordsOfError(list.error)} onRetry={list.askAgain} />
      </div>
    );
  if (size === undefined) return <Skeleton lines={6} className={styles['pad'] ?? ''} />;
  if (size === 0)
    return (
      <div className={styles['pad']}>
        <EmptyPlace
          icon="folder"
          name={words === '' ? projects.none : projects.nothingMatches}
          actions={
            words === '' && mayCreate && <LinkButton href="/projects/new">{projects.newProject}</LinkButton>
          }
        >
          {projects.noneWords}
        </EmptyPlace>
      </div>
    );
  const seen = Array.from({ length: Math.min(size, wanted) }, (_, index) => list.itemAt(index));
  return (
    <>
      <ul>
        {seen.map((project) => project !== undefined && <ProjectRow key={project.id} project={project} />)}
      </ul>
      <div ref={end} />
    </>
  );
}
