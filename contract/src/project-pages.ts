import Type, { type Static } from '@bundled/typebox';
import { choice, date, defineRoute, idParams, nullable } from './route.ts';
import { MinimalUser } from './users.ts';

export const Heartbeats = Type.Object(
  {
    entries: Type.Array(
      Type.Object({
        updated_at: date(),
        html_message: Type.String(),
        icon: Type.String(),
        small_icon: Type.String(),
        icon_name: Type.String(),
        user: nullable(MinimalUser),
        deed: choice(['created', 'changed', 'commented', 'committed'], {
          description: 'What `html_message` says in English, for pages in other languages.',
        }),
        subject: Type.Object({
          reference: Type.String(),
          html_url: Type.String(),
          title: Type.String(),
        }),
      }),
    ),
    are_there_activities_user_cannot_see: Type.Boolean(),
  },
  { $id: 'Heartbeats' },
);
export type Heartbeats = Static<typeof Heartbeats>;

export const getHeartbeats = defineRoute({
  method: 'GET',
  path: '/projects/{id}/heartbeats',
  kind: 'hybrid',
  summary: 'What happened last in a project, newest first',
  description:
    'At most 30, of artifacts and the like that you may see. `are_there_activities_user_cannot_see` tells whether there were others.',
  params: idParams,
  response: Heartbeats,
});

export const Banner = Type.Object({ message: Type.String() }, { $id: 'Banner' });

export const getBanner = defineRoute({
  method: 'GET',
  path: '/projects/{id}/banner',
  kind: 'hybrid',
  summary: 'Announcement shown on the pages of a project',
  description: 'A project without one is 404; its own answer has the same text in `banner`.',
  params: idParams,
  response: Banner,
});

export const putBanner = defineRoute({
  method: 'PUT',
  path: '/projects/{id}/banner',
  kind: 'protected',
  summary: 'Set the announcement of a project, for its administrators',
  description: 'It replaces the one that is there.',
  example: { params: { id: 101 }, body: { message: 'The lamp is dark on Sunday.' } },
  params: idParams,
  argument: 'banner',
  body: Banner,
});

export const deleteBanner = defineRoute({
  method: 'DELETE',
  path: '/projects/{id}/banner',
  kind: 'protected',
  summary: 'Take the announcement of a project away',
  description: 'For project administrators. A project without one is a success too.',
  params: idParams,
});

export const headerBackgrounds = [
  'aerial-water',
  'asphalt-rock',
  'beach-daytime',
  'blue-rain',
  'blue-sand',
  'brown-alpaca',
  'brown-desert',
  'brown-grass',
  'brown-textile',
  'brush-daytime',
  'green-grass',
  'green-leaf',
  'green-trees',
  'led-light',
  'ocean-waves',
  'octopus-black',
  'orange-tulip',
  'purple-building',
  'purple-droplet',
  'purple-textile',
  'snow-mountain',
  'tree-water',
  'white-sheep',
  'wooden-surface',
] as const;

export const putHeaderBackground = defineRoute({
  method: 'PUT',
  path: '/projects/{id}/header_background',
  kind: 'protected',
  summary: 'Choose the picture behind the header of a project, for its administrators',
  description: 'One of the pictures that the platform has.',
  example: { params: { id: 101 }, body: { identifier: 'beach-daytime' } },
  params: idParams,
  argument: 'header_background_representation',
  body: Type.Object({ identifier: choice(headerBackgrounds) }),
});

export const deleteHeaderBackground = defineRoute({
  method: 'DELETE',
  path: '/projects/{id}/header_background',
  kind: 'protected',
  summary: 'Take the picture behind the header of a project away',
  description: 'For project administrators. A project without one is a success too.',
  params: idParams,
});

export const ExtractedReference = Type.Object(
  {
    text: Type.String(),
    link: Type.String(),
    context: Type.String({ description: 'The word before the reference' }),
  },
  { $id: 'ExtractedReference' },
);
export type ExtractedReference = Static<typeof ExtractedReference>;

export const extractReferences = defineRoute({
  method: 'POST',
  path: '/projects/{id}/extract_references',
  kind: 'hybrid',
  summary: 'Find the references in a text',
  description:
    'Everything in the text that a page would turn into a link: `bug #42`, `art #42`, `svn #lamp/3` and the like, with its address.',
  example: { params: { id: 101 }, body: { text: 'Fixed by svn #lamp/3, see bug #141' } },
  params: idParams,
  body: Type.Object({ text: Type.String({ 'x-mayBeEmpty': true }) }),
  response: Type.Array(ExtractedReference),
});

export const IntegrationData = Type.Object(
  {
    project_sidebar: Type.Object({
      is_collapsed: Type.Boolean(),
      config: Type.String({ description: 'JSON text: the project, the user, the platform and the tools' }),
    }),
    styles: Type.Object({
      content: Type.String({ description: 'A style sheet' }),
      variant_name: Type.String(),
      should_display_favicon_variant: Type.Boolean(),
    }),
    references: Type.Array(Type.Object({ keyword: Type.String(), description: Type.String() })),
  },
  { $id: 'IntegrationData' },
);
export type IntegrationData = Static<typeof IntegrationData>;

export const getIntegrationData = defineRoute({
  method: 'GET',
  path: '/projects/{id}/3rd_party_integration_data',
  kind: 'hybrid',
  summary: 'The menu of a project, for pages of other programs',
  description:
    'What a page of another program needs to look like one of the project: sidebar, styles and the name of the service that is shown.',
  params: idParams,
  query: Type.Object({
    currently_active_service: Type.Optional(Type.String({ description: 'Short name of a service' })),
  }),
  response: IntegrationData,
});

export const projectPageRoutes = [
  getHeartbeats,
  getBanner,
  putBanner,
  deleteBanner,
  putHeaderBackground,
  deleteHeaderBackground,
  extractReferences,
  getIntegrationData,
] as const;
