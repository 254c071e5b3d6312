import { NotFoundError } from '@atelier/client';
import { listUsers, type User } from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { client } from '../store/index.ts';

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
