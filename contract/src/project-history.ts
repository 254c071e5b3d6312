import Type, { type Static } from '@bundled/typebox';
import { date, defineRoute, idParams, nullable } from './route.ts';
import { MinimalUser } from './users.ts';

export const ProjectHistoryEntry = Type.Object(
  {
    date: date(),
    event: Type.String({
      description:
        'What happened, such as tracker_artifact_delete, settings_change, member_add or service_switch',
    }),
    subject: Type.String({ description: 'To what, in words' }),
    details: nullable(
      Type.Object(
        { before: Type.String(), after: Type.String() },
        { description: 'What stood there before and after, shortened' },
      ),
    ),
    user: MinimalUser,
  },
  { $id: 'ProjectHistoryEntry' },
);
export type ProjectHistoryEntry = Static<typeof ProjectHistoryEntry>;

export const listProjectHistory = defineRoute({
  method: 'GET',
  path: '/projects/{id}/history',
  kind: 'protected',
  own: true,
  summary: 'What happened in a project, the last first, for its administrators',
  description:
    'Who did what, and when. `query` narrows it: `{"event": "settings_change", "user_id": 102}`, each of them or both.',
  params: idParams,
  query: Type.Object({ query: Type.Optional(Type.String({ description: 'JSON object' })) }),
  paging: { default: 10, maximum: 50 },
  response: Type.Array(ProjectHistoryEntry),
});

export const projectHistoryRoutes = [listProjectHistory] as const;
