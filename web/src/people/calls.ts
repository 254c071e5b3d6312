import { NotFoundError } from '@atelier/client';
import { listMembers, listUsers, type MinimalProject, type User } from '@atelier/client/routes';
import { useQueries, useQuery } from '@tanstack/react-query';
import { client, useStanding } from '../store/index.ts';

/** Somebody by user name, as addresses name people; or by id. */
export const usePersonNamed = (name: string) =>
  useQuery({
    queryKey: ['person-named', name],
    queryFn: async ({ signal }): Promise<User> => {
      const query = JSON.stringify({ username: name });
      const [user] = await client.call(listUsers, { query: { query, limit: 1 }, signal });
      if (user === undefined)
        throw new NotFoundError({
          status: 404,
          message: `There is nobody called "${name}".`,
          body: undefined,
        });
      return user;
    },
  });

const most = 20;

/** Projects of one's own that somebody else is in too, among the first twenty. */
export function useProjectsInCommon(user: User | undefined): readonly MinimalProject[] {
  const { memberships } = useStanding();
  const projects = memberships.slice(0, most).map(({ project }) => project);
  const answers = useQueries({
    queries: projects.map((project) => ({
      queryKey: [project.uri, 'has-member', user?.username ?? ''],
      enabled: user !== undefined,
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<boolean> => {
        const query = { query: user?.username ?? '', limit: 100 };
        const members = await client.call(listMembers, { params: { id: project.id }, query, signal });
        return members.some((member) => member.user.id === user?.id);
      },
    })),
  });
  return projects.filter((_, index) => answers[index]?.data === true);
}
