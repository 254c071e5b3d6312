import { putPassword } from '@atelier/client/routes';
import { client } from '../../store/index.ts';

export async function changePassword(current: string, next: string): Promise<void> {
  await client.call(putPassword, {
    params: { id: 'self' },
    body: { password: next, current_password: current },
  });
}
