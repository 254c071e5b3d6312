import * as artifactHistory from './artifact-history.ts';
import * as artifactLinks from './artifact-links.ts';
import * as artifactMoves from './artifact-moves.ts';
import * as artifactRanks from './artifact-ranks.ts';
import * as artifactRows from './artifact-rows.ts';
import * as artifactTables from './artifact-tables.ts';
import * as artifacts from './artifacts.ts';
import * as bulkChanges from './bulk-changes.ts';
import * as credentials from './credentials.ts';
import * as crossTracker from './cross-tracker.ts';
import * as dashboards from './dashboards.ts';
import * as deletedArtifacts from './deleted-artifacts.ts';
import * as deletedProjects from './deleted-projects.ts';
import * as deletedTrackers from './deleted-trackers.ts';
import * as events from './events.ts';
import * as favorites from './favorites.ts';
import * as attachments from './files.ts';
import * as fullText from './full-text.ts';
import * as labels from './labels.ts';
import * as linkTypes from './link-types.ts';
import * as mailNotifications from './mail-notifications.ts';
import * as notifications from './notifications.ts';
import * as passwordResets from './password-resets.ts';
import * as platform from './platform.ts';
import * as platformCare from './platform-care.ts';
import * as platformUsers from './platform-users.ts';
import * as projectFields from './project-fields.ts';
import * as projectHistory from './project-history.ts';
import * as projectImports from './project-imports.ts';
import * as projectPages from './project-pages.ts';
import * as projectPeople from './project-people.ts';
import * as projectServices from './project-services.ts';
import * as projectSettings from './project-settings.ts';
import * as projects from './projects.ts';
import * as quick from './quick-search.ts';
import type { RouteContract } from './route.ts';
import * as svn from './svn.ts';
import * as svnBrowsing from './svn-browsing.ts';
import * as trackerAdministration from './tracker-administration.ts';
import * as trackerArtifacts from './tracker-artifacts.ts';
import * as trackerChecks from './tracker-checks.ts';
import * as trackerForms from './tracker-forms.ts';
import * as trackerReports from './tracker-reports.ts';
import * as trackers from './trackers.ts';
import * as userGroups from './user-groups.ts';
import * as users from './users.ts';
import * as watching from './watching.ts';
import * as webhooks from './webhooks.ts';
import * as workflow from './workflow.ts';

/** Every route of the API. */
export const routes = [
  ...platform.platformRoutes,
  ...platformUsers.platformUserRoutes,
  ...platformCare.platformCareRoutes,
  ...credentials.credentialRoutes,
  ...passwordResets.passwordResetRoutes,
  ...users.userRoutes,
  ...favorites.favoriteRoutes,
  ...projects.projectRoutes,
  ...projectSettings.projectSettingsRoutes,
  ...projectImports.projectImportRoutes,
  ...projectFields.projectFieldRoutes,
  ...projectServices.projectServiceRoutes,
  ...projectPages.projectPageRoutes,
  ...projectHistory.projectHistoryRoutes,
  ...projectPeople.projectPeopleRoutes,
  ...labels.labelRoutes,
  ...userGroups.userGroupRoutes,
  ...trackers.trackerRoutes,
  ...deletedProjects.deletedProjectRoutes,
  ...deletedTrackers.deletedTrackerRoutes,
  ...trackerAdministration.trackerAdministrationRoutes,
  ...trackerChecks.trackerCheckRoutes,
  ...trackerForms.trackerFormRoutes,
  ...trackerReports.trackerReportRoutes,
  ...workflow.workflowRoutes,
  ...linkTypes.linkTypeRoutes,
  ...artifacts.artifactRoutes,
  ...artifactHistory.artifactHistoryRoutes,
  ...artifactLinks.artifactLinkRoutes,
  ...artifactMoves.artifactMoveRoutes,
  ...deletedArtifacts.deletedArtifactRoutes,
  ...artifactRanks.artifactRankRoutes,
  ...trackerArtifacts.trackerArtifactRoutes,
  ...crossTracker.crossTrackerRoutes,
  ...dashboards.dashboardRoutes,
  ...artifactRows.artifactRowRoutes,
  ...artifactTables.artifactTableRoutes,
  ...bulkChanges.bulkChangeRoutes,
  ...fullText.fullTextRoutes,
  ...quick.quickSearchRoutes,
  ...attachments.fileRoutes,
  ...svn.svnRoutes,
  ...svnBrowsing.svnBrowsingRoutes,
  ...mailNotifications.mailNotificationRoutes,
  ...watching.watchingRoutes,
  ...notifications.notificationRoutes,
  ...webhooks.webhookRoutes,
  ...events.eventRoutes,
] as const;

const files = [
  trackerArtifacts,
  artifactHistory,
  artifactLinks,
  artifactMoves,
  artifactRanks,
  artifactRows,
  artifactTables,
  bulkChanges,
  fullText,
  artifacts,
  credentials,
  crossTracker,
  dashboards,
  deletedArtifacts,
  deletedProjects,
  deletedTrackers,
  events,
  favorites,
  attachments,
  labels,
  linkTypes,
  mailNotifications,
  notifications,
  passwordResets,
  platform,
  platformCare,
  platformUsers,
  projectFields,
  projectImports,
  projectHistory,
  projectPages,
  projectPeople,
  projectServices,
  projectSettings,
  projects,
  quick,
  svn,
  svnBrowsing,
  trackerAdministration,
  trackerChecks,
  trackerForms,
  trackerReports,
  trackers,
  userGroups,
  users,
  watching,
  webhooks,
  workflow,
];

const names: ReadonlyMap<unknown, string> = new Map(
  files.flatMap((file) => Object.entries(file)).map(([name, value]) => [value, name]),
);

/** The name under which the contract exports a route: its operation id in documents. */
export function nameOf(route: RouteContract): string {
  const name = names.get(route);
  if (name === undefined) throw new Error(`${route.method} ${route.path} is not exported by the contract.`);
  return name;
}
