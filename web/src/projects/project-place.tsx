import type { Project } from '@atelier/client/routes';
import type { ReactNode } from 'react';
import { Outline, Page, type PageProps, ProblemPage } from '../shell/index.ts';
import { useProjectNamed } from '../store/index.ts';

interface ProjectPlaceProps extends Omit<PageProps, 'crumbs' | 'title' | 'place' | 'children'> {
  /** As the address has it. */
  readonly name: string;
  /** What of the project is shown; the project itself without it. */
  readonly part?: string | undefined;
  children(project: Project): ReactNode;
}

/** A page of a project: found by the name in its address, or said why not. */
export function ProjectPlace({ name, part, children, ...page }: ProjectPlaceProps) {
  const { thing: project, uri, error, askAgain, isAsking } = useProjectNamed(name);
  if (project === undefined)
    return error === null ? <Outline /> : <ProblemPage error={error} askAgain={askAgain} />;
  const label = project.label_without_icon;
  const crumbs =
    part === undefined
      ? [{ name: label }]
      : [{ name: label, to: `/projects/${project.shortname}` }, { name: part }];
  return (
    <Page
      {...page}
      title={part === undefined ? label : `${part} · ${label}`}
      crumbs={crumbs}
      place={{ project: uri }}
      isAsking={isAsking}
    >
      {children(project)}
    </Page>
  );
}
