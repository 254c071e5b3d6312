import Type from '@bundled/typebox';
import { date, defineRoute, untrimmed } from './route.ts';

export const createPasswordReset = defineRoute({
  method: 'POST',
  path: '/password_resets',
  kind: 'public',
  own: true,
  ownPagesOnly: true,
  summary: 'Ask for a link to choose a new password',
  description:
    'Whether there is such an account or not, the answer is the same. If there is, a link goes to its mail address, which is good for an hour and for one use. At most 3 an hour ' +
    'for an account and 20 from an address (429). 503 where the platform sends no mail: administrators of users make links then.',
  example: { body: { login: 'alice' } },
  body: Type.Object({ login: Type.String({ description: 'User name or mail address' }) }),
  status: 202,
});

export const redeemPasswordReset = defineRoute({
  method: 'PUT',
  path: '/password_resets/{token}',
  kind: 'public',
  own: true,
  ownPagesOnly: true,
  summary: 'Choose a new password by a link',
  description:
    'All sessions and tokens of the account end; access keys stay. A link that is unknown, was used or whose time is over is 404.',
  example: { params: { token: 'from-the-link' }, body: { password: 'yet another correct horse' } },
  params: Type.Object({ token: Type.String() }),
  body: Type.Object({ password: untrimmed() }),
  response: Type.Object({ username: Type.String({ description: 'Whose password it is' }) }),
});

export const createPasswordLink = defineRoute({
  method: 'POST',
  path: '/users/{id}/password_links',
  kind: 'protected',
  own: true,
  summary: 'Make a link by which somebody chooses a password',
  description:
    'For administrators of users, who hand it on: to invite people, and where there is no mail. It is shown in this answer only, good for 7 days and for one use; a link that was made before for the account ends.',
  params: Type.Object({ id: Type.String({ description: 'User id' }) }),
  status: 201,
  response: Type.Object({ href: Type.String(), expiration_date: date() }),
});

export const passwordResetRoutes = [createPasswordReset, redeemPasswordReset, createPasswordLink] as const;
