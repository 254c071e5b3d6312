import { useParams, useSearch } from '@tanstack/react-router';
import { NotFoundPage, Outline, ProblemPage } from '../shell/index.ts';
import { useProjectNamed } from '../store/index.ts';
import { readPlace, SvnAddresses } from './addresses.ts';
import { BlamePage } from './blame.tsx';
import { BrowsePage } from './browse.tsx';
import { type SvnRepository, useNews, useRepositoryById, useRepositoryId } from './calls.ts';
import { ComparePage } from './compare.tsx';
import { LogPage } from './log.tsx';
import type { Whereabouts } from './place.tsx';
import { RevisionPage } from './revision.tsx';
import { SvnSettingsPage } from './settings/index.tsx';

const numberIn = (text: string | undefined) =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

interface Asked {
  readonly rest: string;
  readonly rev?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The page of a repository that the rest of an address names. */
function Shown({
  repository,
  base,
  asked,
}: {
  readonly repository: SvnRepository;
  readonly base: string;
  readonly asked: Asked;
}) {
  useNews(repository);
  const place = readPlace(asked.rest);
  if (place === undefined) return <NotFoundPage />;
  const where: Whereabouts = {
    repository,
    addresses: new SvnAddresses(base),
    path: place.path,
    revision: numberIn(asked.rev),
  };
  switch (place.page) {
    case 'tree':
    case 'file':
      return <BrowsePage key={place.path} where={where} />;
    case 'blame':
      return <BlamePage key={place.path} where={where} />;
    case 'log':
      return <LogPage key={place.path} where={where} from={numberIn(asked.from)} />;
    case 'compare':
      return (
        <ComparePage key={place.path} where={where} from={numberIn(asked.from)} to={numberIn(asked.to)} />
      );
    case 'revisions': {
      const number = numberIn(place.path);
      return number === undefined ? (
        <NotFoundPage />
      ) : (
        <RevisionPage key={number} where={where} number={number} />
      );
    }
    case 'settings':
      return <SvnSettingsPage where={where} page={place.path} />;
  }
}

function Found({ id, base, asked }: { readonly id: number; readonly base: string; readonly asked: Asked }) {
  const { data, error, refetch } = useRepositoryById(id);
  if (data !== undefined) return <Shown repository={data} base={base} asked={asked} />;
  return error === null ? <Outline /> : <ProblemPage error={error} askAgain={() => void refetch()} />;
}

/** `/svn/{id}/…` */
export function RepositoryPage() {
  const { id, _splat: rest = '' } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  const number = numberIn(id);
  if (number === undefined) return <NotFoundPage />;
  return <Found id={number} base={`/svn/${number}`} asked={{ rest, ...search }} />;
}

/** `/projects/{shortname}/svn/{name}/…` */
export function NamedRepositoryPage() {
  const { name = '', repository = '', _splat: rest = '' } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  const { uri, thing: project, error: projectError, askAgain } = useProjectNamed(name);
  const { data: id, error, refetch } = useRepositoryId(uri, repository);
  if (projectError !== null && project === undefined)
    return <ProblemPage error={projectError} askAgain={askAgain} />;
  if (error !== null) return <ProblemPage error={error} askAgain={() => void refetch()} />;
  if (id === null) return <NotFoundPage />;
  if (id === undefined) return <Outline />;
  const base = `/projects/${encodeURIComponent(name)}/svn/${encodeURIComponent(repository)}`;
  return <Found id={id} base={base} asked={{ rest, ...search }} />;
}
