import * as contract from '@atelier/contract';
import { checkPassword, readSettings, requirePasswordToken, samePassword } from '../../../identity/index.ts';
import { formatInstant } from '../../../kernel/clock.ts';
import { unavailable } from '../../../kernel/errors.ts';
import { anonymousViewer } from '../../../kernel/viewer.ts';
import { passwordPage } from '../../../notify/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { userIdOf } from './users.ts';

const nobody = anonymousViewer('regular');

export function passwordResetBindings(services: Services): RouteBinding[] {
  const { config, database, operations, hasher, publicUrl } = services;
  return [
    bind(contract.createPasswordReset, async ({ body: { login }, address }) => {
      if (config.mail === undefined)
        throw unavailable(
          'This platform sends no mail. Ask an administrator, who can make a link to choose a new password.',
        );
      await operations.requestPasswordReset(nobody, { login, address });
      return {};
    }),
    bind(contract.redeemPasswordReset, async ({ params: { token }, body: { password }, address }) => {
      const current = await requirePasswordToken(database, token);
      const { password_min_length, password_lifetime_days } = await readSettings(database);
      checkPassword(password, password_min_length);
      if (password_lifetime_days > 0 && (await hasher.matches(password, current))) throw samePassword();
      const passwordHash = await hasher.hash(password);
      const { name } = await operations.redeemPasswordToken(nobody, { token, passwordHash, address });
      return { body: { username: name } };
    }),
    bind(contract.createPasswordLink, async ({ viewer, params }) => {
      const accountId = userIdOf(viewer, params.id);
      const { token, expiresAt } = await operations.createPasswordLink(viewer, { accountId });
      const href = passwordPage(publicUrl, token);
      return { body: { href, expiration_date: formatInstant(expiresAt) } };
    }),
  ];
}
