import { createPasswordReset, putPassword, redeemPasswordReset } from '@atelier/client/routes';
import { client } from '../../store/index.ts';

export async function changePassword(current: string, next: string): Promise<void> {
  await client.call(putPassword, {
    params: { id: 'self' },
    body: { password: next, current_password: current },
  });
}

export async function askForReset(login: string): Promise<void> {
  await client.call(createPasswordReset, { body: { login } });
}

/** Gives the name of the account whose password it is now. */
export async function redeemReset(token: string, password: string): Promise<string> {
  return (await client.call(redeemPasswordReset, { params: { token }, body: { password } })).username;
}
