import { getProjectNamed, type Project, type Standing } from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { client } from './client.ts';
import { useStanding } from './session.ts';
import { feed, projectFacet, type Thing, useThing } from './things.ts';

/** The uri of a project by its short name. */
function namedQuery(name: string) {
  return {
    queryKey: ['project-named', name] as const,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<string> => {
      const project = await client.call(getProjectNamed, { params: { shortname: name }, signal });
      feed(project.uri, projectFacet, { body: project });
      return project.uri;
    },
  };
}

/** A project as addresses name it: by its short name, or by its id. */
export function useProjectNamed(name: string): Thing<Project> & { readonly uri: string | undefined } {
  const { memberships } = useStanding();
  const own = memberships.find(({ project }) => project.shortname === name)?.project.uri;
  const byId = /^\d+$/.test(name) ? `projects/${name}` : undefined;
  const found = useQuery({ ...namedQuery(name), enabled: own === undefined && byId === undefined });
  const uri = own ?? byId ?? found.data;
  const thing = useThing(uri, projectFacet);
  return { ...thing, uri, error: found.error ?? thing.error, isAsking: thing.isAsking || found.isFetching };
}

/** What is known of a project from being its member. */
export function useMembership(uri: string | undefined): Standing['memberships'][number] | undefined {
  return useStanding().memberships.find(({ project }) => project.uri === uri);
}
