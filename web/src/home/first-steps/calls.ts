import { createPasswordLink, createUser } from '@atelier/client/routes';
import { client } from '../../store/index.ts';

export interface Invited {
  readonly login: string;
  readonly realName: string;
  readonly mail: string;
}

/** Makes an account. */
export async function makeAccount({ login, realName, mail }: Invited): Promise<number> {
  const { id } = await client.call(createUser, {
    body: {
      username: login,
      status: 'A',
      ...(realName === '' ? {} : { real_name: realName }),
      ...(mail === '' ? {} : { email: mail }),
    },
  });
  return id ?? 0;
}

/** Makes the link by which whoever has the account chooses a password. */
export async function makeLink(id: number): Promise<string> {
  const { href } = await client.call(createPasswordLink, { params: { id: String(id) } });
  return href;
}
