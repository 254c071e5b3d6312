import type { RouteBinding } from '../route.ts';
import type { Services } from '../services.ts';
import { artifactHistoryBindings } from './artifact-history.ts';
import { artifactLinkBindings } from './artifact-links.ts';
import { artifactMoveBindings } from './artifact-moves.ts';
import { artifactRankBindings } from './artifact-ranks.ts';
import { artifactTableBindings } from './artifact-tables.ts';
import { artifactBindings } from './artifacts.ts';
import { bulkChangeBindings } from './bulk-changes.ts';
import { credentialBindings } from './credentials.ts';
import { crossTrackerBindings } from './cross-tracker.ts';
import { deletedArtifactBindings } from './deleted-artifacts.ts';
import { deletedProjectBindings } from './deleted-projects.ts';
import { deletedTrackerBindings } from './deleted-trackers.ts';
import { fileBindings } from './files.ts';
import { fullTextBindings } from './full-text.ts';
import { labelBindings } from './labels.ts';
import { linkTypeBindings } from './link-types.ts';
import { mailNotificationBindings } from './mail-notifications.ts';
import { membershipBindings } from './memberships.ts';
import { platformBindings } from './platform.ts';
import { projectFieldBindings } from './project-fields.ts';
import { projectHistoryBindings } from './project-history.ts';
import { projectImportBindings } from './project-imports.ts';
import { projectPageBindings } from './project-pages.ts';
import { projectServiceBindings } from './project-services.ts';
import { projectSettingsBindings } from './project-settings.ts';
import { projectBindings } from './projects.ts';
import { svnBindings } from './svn.ts';
import { svnBrowsingBindings } from './svn-browsing.ts';
import { trackerAdministrationBindings } from './tracker-administration.ts';
import { trackerArtifactBindings } from './tracker-artifacts.ts';
import { trackerFormBindings } from './tracker-forms.ts';
import { trackerReportBindings } from './tracker-reports.ts';
import { trackerBindings } from './trackers.ts';
import { userGroupBindings } from './user-groups.ts';
import { userBindings } from './users.ts';
import { webhookBindings } from './webhooks.ts';
import { workflowBindings } from './workflow.ts';

/** Everything below `/api`. */
export function routeBindings(services: Services): RouteBinding[] {
  return [
    ...platformBindings(services),
    ...credentialBindings(services),
    ...userBindings(services),
    ...membershipBindings(services),
    ...projectBindings(services),
    ...projectSettingsBindings(services),
    ...projectServiceBindings(services),
    ...projectImportBindings(services),
    ...projectFieldBindings(services),
    ...projectPageBindings(services),
    ...projectHistoryBindings(services),
    ...labelBindings(services),
    ...userGroupBindings(services),
    ...trackerBindings(services),
    ...deletedProjectBindings(services),
    ...deletedTrackerBindings(services),
    ...trackerAdministrationBindings(services),
    ...trackerFormBindings(services),
    ...trackerReportBindings(services),
    ...workflowBindings(services),
    ...linkTypeBindings(services),
    ...artifactBindings(services),
    ...artifactHistoryBindings(services),
    ...artifactLinkBindings(services),
    ...artifactMoveBindings(services),
    ...deletedArtifactBindings(services),
    ...artifactRankBindings(services),
    ...trackerArtifactBindings(services),
    ...crossTrackerBindings(services),
    ...artifactTableBindings(services),
    ...bulkChangeBindings(services),
    ...fullTextBindings(services),
    ...fileBindings(services),
    ...svnBindings(services),
    ...svnBrowsingBindings(services),
    ...mailNotificationBindings(services),
    ...webhookBindings(services),
  ];
}
