import Type, { type Static } from '@bundled/typebox';
import { date, defineRoute, idParams } from './route.ts';
import { MinimalUser } from './users.ts';

export const ProjectHistoryEntry = Type.Object(
  {
    date: date(),
    event: Type.String({ description: 'What happened: tracker_artifact_delete, tracker_artifact_restore' }),
    subject: Type.String({ description: 'To what, in words' }),
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
  description: 'Who did what, and when.',
  params: idParams,
  paging: { default: 10, maximum: 50 },
  response: Type.Array(ProjectHistoryEntry),
});

export const projectHistoryRoutes = [listProjectHistory] as const;
