import Type, { type Static } from '@bundled/typebox';
import { MinimalUserGroup } from './projects.ts';
import { choice, defineRoute, idParams } from './route.ts';
import { MinimalUser } from './users.ts';

export const ProjectPerson = Type.Object(
  { ...MinimalUser.properties, is_member: Type.Boolean() },
  { $id: 'ProjectPerson' },
);
export type ProjectPerson = Static<typeof ProjectPerson>;

export const listPeople = defineRoute({
  method: 'GET',
  path: '/projects/{id}/people',
  kind: 'protected',
  own: true,
  summary: 'People whom one can mention or choose in a project',
  description:
    'Members first, then whoever wrote in a tracker that you see; by user name. All words of `query` must be in the user name or the real name; none: everybody.',
  params: idParams,
  query: Type.Object({
    query: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: '20 unless given' })),
  }),
  response: Type.Array(ProjectPerson),
});

export const ProjectMember = Type.Object(
  {
    user: MinimalUser,
    is_administrator: Type.Boolean(),
    user_groups: Type.Array(MinimalUserGroup, {
      description: 'Groups that the project made; told to its members alone',
    }),
  },
  { $id: 'ProjectMember' },
);
export type ProjectMember = Static<typeof ProjectMember>;

export const listMembers = defineRoute({
  method: 'GET',
  path: '/projects/{id}/members',
  kind: 'hybrid',
  own: true,
  summary: 'Members of a project, by user name',
  description:
    'For whoever sees the project. All words of `query` must be in the user name or the real name; none: everybody.',
  params: idParams,
  query: Type.Object({ query: Type.Optional(Type.String()) }),
  paging: { default: 50, maximum: 100 },
  response: Type.Array(ProjectMember),
});

export const RenderedText = Type.Object(
  {
    html: Type.String({ description: 'Safe in any page' }),
    references: Type.Array(Type.Object({ text: Type.String(), href: Type.String() })),
    mentions: Type.Array(MinimalUser),
  },
  { $id: 'RenderedText' },
);
export type RenderedText = Static<typeof RenderedText>;

export const renderText = defineRoute({
  method: 'POST',
  path: '/projects/{id}/rendered_texts',
  kind: 'hybrid',
  own: true,
  summary: 'What a text would look like were it saved',
  description:
    'With its references as links, and `@login` of people who see the project. At most 65 535 bytes; nothing is stored.',
  example: { params: { id: 101 }, body: { text: 'See art #1, @ada', format: 'commonmark' } },
  params: idParams,
  body: Type.Object({
    text: Type.String({ 'x-mayBeEmpty': true, 'x-untrimmed': true }),
    format: Type.Optional(choice(['text', 'html', 'commonmark'], { description: 'commonmark unless given' })),
  }),
  response: RenderedText,
});

export const projectPeopleRoutes = [listPeople, listMembers, renderText] as const;
