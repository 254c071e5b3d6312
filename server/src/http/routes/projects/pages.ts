import * as contract from '@atelier/contract';
import type { ArtifactDeed } from '../../../artifacts/index.ts';
import { findAccount, findPreference } from '../../../identity/index.ts';
import { formatInstant } from '../../../kernel/clock.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { escapeXml } from '../../../kernel/xml.ts';
import { projectExtensions } from '../../../operations.ts';
import { presentIntegrationData, presentMinimalUser } from '../../../present/index.ts';
import {
  type ActivityEntry,
  type Reference,
  readActivity,
  readBanner,
  referenceKeywords,
  requireProject,
  visibleServices,
} from '../../../projects/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

type Heartbeat = contract.Heartbeats['entries'][number];

function entryOf({ artifactId, xref, title, what, at, by }: ArtifactDeed): ActivityEntry {
  const subject = { reference: xref, path: `/plugins/tracker/?aid=${artifactId}`, title: title ?? '' };
  return { at, deed: what, subject, iconName: 'fa-list-ol', userId: by };
}

const verbs: Readonly<Record<ActivityEntry['deed'], string>> = {
  created: 'created',
  changed: 'changed',
  commented: 'commented on',
  committed: 'committed',
};

/** What was done, in words; who did it stands beside them. */
function sentenceOf({ deed, subject: { reference, path, title } }: ActivityEntry): string {
  const link = `<a href="${escapeXml(path)}">${escapeXml(reference)}</a>`;
  return `${verbs[deed]} ${link} ${escapeXml(title)}`.trimEnd();
}

async function presentEntry(
  { database, publicUrl }: Services,
  viewer: Viewer,
  entry: ActivityEntry,
): Promise<Heartbeat> {
  const { at, deed, subject, iconName, userId } = entry;
  const account = userId === null ? undefined : await findAccount(database, userId);
  return {
    updated_at: formatInstant(at),
    html_message: sentenceOf(entry),
    icon: '',
    small_icon: '',
    icon_name: iconName,
    user: account === undefined ? null : presentMinimalUser(publicUrl, viewer, account),
    deed,
    subject: { reference: subject.reference, html_url: subject.path, title: subject.title },
  };
}

function presentReference(publicUrl: string, reference: Reference): contract.ExtractedReference {
  const { keyword, value, projectId, text, context } = reference;
  const query = new URLSearchParams({ key: keyword, val: value, group_id: String(projectId) });
  return { text, link: `${publicUrl}/goto?${query}`, context };
}

function appearanceBindings({ database, operations }: Services): RouteBinding[] {
  return [
    bind(contract.getBanner, async ({ viewer, params }) => ({
      body: { message: await readBanner(database, viewer, params.id) },
    })),
    bind(contract.putBanner, async ({ viewer, params, body }) => {
      await operations.setBanner(viewer, { projectId: params.id, message: body.message });
      return {};
    }),
    bind(contract.deleteBanner, async ({ viewer, params }) => {
      await operations.setBanner(viewer, { projectId: params.id, message: null });
      return {};
    }),
    bind(contract.putHeaderBackground, async ({ viewer, params, body }) => {
      await operations.setHeaderBackground(viewer, { projectId: params.id, identifier: body.identifier });
      return {};
    }),
    bind(contract.deleteHeaderBackground, async ({ viewer, params }) => {
      await operations.setHeaderBackground(viewer, { projectId: params.id, identifier: null });
      return {};
    }),
  ];
}

function readingBindings(services: Services): RouteBinding[] {
  const { database, searches, publicUrl } = services;
  return [
    bind(contract.getHeartbeats, async ({ viewer, params }) => {
      const activity = await readActivity(database, viewer, params.id, projectExtensions);
      const last = await searches.findLastChanges(viewer, { projectId: params.id, most: 30 });
      const entries = [...activity.entries, ...last.changes.map(entryOf)].sort((a, b) => b.at - a.at);
      const presented = await Promise.all(entries.map((entry) => presentEntry(services, viewer, entry)));
      const hasHidden = activity.hasHidden || last.hasHidden;
      return { body: { entries: presented, are_there_activities_user_cannot_see: hasHidden } };
    }),
    bind(contract.extractReferences, async ({ viewer, params, body }) => {
      const references = await searches.extractReferences(viewer, { projectId: params.id, text: body.text });
      return { body: references.map((reference) => presentReference(publicUrl, reference)) };
    }),
    bind(contract.getIntegrationData, async ({ viewer, params, query }) => {
      const project = await requireProject(database, viewer, params.id, 'project');
      const sidebar = await findPreference(database, viewer.userId, 'sidebar_state');
      const keywords = await referenceKeywords(database, viewer, project.id, projectExtensions);
      const body = presentIntegrationData({
        viewer,
        project,
        // Tools of other platforms have no page to lead to.
        services: (await visibleServices(database, viewer, project)).filter(({ isForeign }) => !isForeign),
        activeService: query.currently_active_service,
        isSidebarCollapsed: sidebar === 'sidebar-collapsed',
        keywords: [...keywords.values()],
      });
      return { body };
    }),
  ];
}

export function projectPageBindings(services: Services): RouteBinding[] {
  return [...appearanceBindings(services), ...readingBindings(services)];
}
