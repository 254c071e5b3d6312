import { NotFoundError } from '@atelier/client';
import type { ReactNode } from 'react';
import { useMessages } from '../messages/index.ts';
import { announce, type Crumb, Outline, Page, type PageProps, ProblemPage } from '../shell/index.ts';
import { copyText, EmptyPlace, IconButton, LinkButton } from '../ui/index.ts';
import type { SvnAddresses, SvnPageName } from './addresses.ts';
import type { SvnRepository } from './calls.ts';
import styles from './svn.module.css';

/** What every page of a repository knows. */
export interface Whereabouts {
  readonly repository: SvnRepository;
  readonly addresses: SvnAddresses;
  /** In the repository, without a slash in front. */
  readonly path: string;
  /** Of the address; undefined: the youngest. */
  readonly revision: number | undefined;
}

/** Crumbs of a path: every folder on the way leads to itself. */
function crumbsOf({ addresses, path, revision }: Whereabouts, page: SvnPageName): Crumb[] {
  const names = path.split('/').filter((name) => name !== '');
  const crumbs = names.map((name, index) => ({
    name,
    to:
      index === names.length - 1 && page !== 'revisions'
        ? undefined
        : addresses.page('tree', names.slice(0, index + 1).join('/'), { rev: revision }),
  }));
  // Of a long way the beginning and the end are told.
  const left = crumbs.at(-3);
  return crumbs.length <= 4 || left === undefined
    ? crumbs
    : [...crumbs.slice(0, 1), { name: '…', to: left.to }, ...crumbs.slice(-2)];
}

export function copyAndTell(text: string, told: string): void {
  void copyText(text).then(() => announce(told));
}

interface SvnPlaceProps extends Omit<PageProps, 'crumbs' | 'place' | 'title'> {
  readonly where: Whereabouts;
  readonly page: SvnPageName;
  /** What stands last in the breadcrumbs, where that is no path. */
  readonly last?: string | undefined;
  readonly children: ReactNode;
}

/** A page of a repository: where it is, and what it shows. */
export function SvnPlace({ where, page, last, children, actions, ...rest }: SvnPlaceProps) {
  const { svn } = useMessages();
  const { repository, addresses, path } = where;
  const { project } = repository;
  const inside = last === undefined ? crumbsOf(where, page) : [{ name: last }];
  const crumbs: Crumb[] = [
    { name: project.label_without_icon, to: `/projects/${project.shortname}` },
    { name: svn.title, to: `/projects/${project.shortname}/svn` },
    inside.length === 0
      ? { name: repository.name }
      : { name: repository.name, to: addresses.page('tree', '') },
    ...inside,
  ];
  const shown = last ?? (path === '' ? repository.name : `${path} · ${repository.name}`);
  return (
    <Page
      {...rest}
      title={`${shown} · ${project.label_without_icon}`}
      crumbs={crumbs}
      place={{ project: project.uri }}
      actions={
        <>
          {actions}
          {path !== '' && last === undefined && (
            <IconButton
              icon="copy"
              size="small"
              label={svn.copyPath}
              onPress={() => copyAndTell(`/${path}`, svn.copied)}
            />
          )}
        </>
      }
    >
      {children}
    </Page>
  );
}

interface SvnWaitingProps extends Pick<SvnPlaceProps, 'where' | 'page' | 'last'> {
  readonly asked: { readonly error: Error | null; refetch(): unknown };
}

/** Until a page of a repository is there, or why it is not; from what is not there a way leads back into the repository. */
export function SvnWaiting({ where, page, last, asked: { error, refetch } }: SvnWaitingProps) {
  const { svn } = useMessages();
  if (error === null) return <Outline />;
  if (!(error instanceof NotFoundError)) return <ProblemPage error={error} askAgain={() => void refetch()} />;
  return (
    <SvnPlace where={where} page={page} last={last}>
      <div className={styles['pad']}>
        <EmptyPlace
          icon="folder"
          name={last === undefined ? svn.nothingHere : svn.noRevision}
          actions={<LinkButton href={where.addresses.page('tree', '')}>{svn.openRepository}</LinkButton>}
        >
          {last === undefined ? svn.nothingHereWords : undefined}
        </EmptyPlace>
      </div>
    </SvnPlace>
  );
}
