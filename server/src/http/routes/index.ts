import type { RouteBinding } from '../route.ts';
import type { Services } from '../services.ts';
import { artifactBindings } from './artifacts/artifacts.ts';
import { bulkChangeBindings } from './artifacts/bulk-changes.ts';
import { deletedArtifactBindings } from './artifacts/deleted.ts';
import { fileBindings } from './artifacts/files.ts';
import { artifactHistoryBindings } from './artifacts/history.ts';
import { artifactLinkBindings } from './artifacts/links.ts';
import { artifactMoveBindings } from './artifacts/moves.ts';
import { trackerArtifactBindings } from './artifacts/of-trackers.ts';
import { artifactRankBindings } from './artifacts/ranks.ts';
import { artifactRowBindings } from './artifacts/rows.ts';
import { artifactTableBindings } from './artifacts/tables.ts';
import { timelineBindings } from './artifacts/timeline.ts';
import { deletedProjectBindings } from './deleted-projects.ts';
import { credentialBindings } from './people/credentials.ts';
import { membershipBindings } from './people/memberships.ts';
import { ownPlaceBindings } from './people/own-places.ts';
import { passwordResetBindings } from './people/password-resets.ts';
import { standingBindings } from './people/standing.ts';
import { userGroupBindings } from './people/user-groups.ts';
import { userBindings } from './people/users.ts';
import { platformBindings } from './platform/platform.ts';
import { projectFieldBindings } from './projects/fields.ts';
import { projectHistoryBindings } from './projects/history.ts';
import { projectImportBindings } from './projects/imports.ts';
import { labelBindings } from './projects/labels.ts';
import { projectPageBindings } from './projects/pages.ts';
import { projectPeopleBindings } from './projects/people.ts';
import { projectBindings } from './projects/projects.ts';
import { projectServiceBindings } from './projects/services.ts';
import { projectSettingsBindings } from './projects/settings.ts';
import { crossTrackerBindings } from './search/cross-tracker.ts';
import { fullTextBindings } from './search/full-text.ts';
import { quickSearchBindings } from './search/quick.ts';
import { svnBrowsingBindings } from './svn/browse.ts';
import { svnBindings } from './svn/repositories.ts';
import { trackerAdministrationBindings } from './trackers/administration.ts';
import { deletedTrackerBindings } from './trackers/deleted.ts';
import { trackerFormBindings } from './trackers/forms.ts';
import { linkTypeBindings } from './trackers/link-types.ts';
import { mailNotificationBindings } from './trackers/mail-notifications.ts';
import { trackerReportBindings } from './trackers/reports.ts';
import { trackerBindings } from './trackers/trackers.ts';
import { webhookBindings } from './trackers/webhooks.ts';
import { workflowBindings } from './trackers/workflow.ts';

/** Everything below `/api`. */
export function routeBindings(services: Services): RouteBinding[] {
  return [
    ...platformBindings(services),
    ...credentialBindings(services),
    ...userBindings(services),
    ...ownPlaceBindings(services),
    ...standingBindings(services),
    ...passwordResetBindings(services),
    ...membershipBindings(services),
    ...projectBindings(services),
    ...projectSettingsBindings(services),
    ...projectServiceBindings(services),
    ...projectImportBindings(services),
    ...projectFieldBindings(services),
    ...projectPageBindings(services),
    ...projectHistoryBindings(services),
    ...projectPeopleBindings(services),
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
    ...timelineBindings(services),
    ...artifactLinkBindings(services),
    ...artifactMoveBindings(services),
    ...deletedArtifactBindings(services),
    ...artifactRankBindings(services),
    ...trackerArtifactBindings(services),
    ...crossTrackerBindings(services),
    ...artifactRowBindings(services),
    ...artifactTableBindings(services),
    ...bulkChangeBindings(services),
    ...fullTextBindings(services),
    ...quickSearchBindings(services),
    ...fileBindings(services),
    ...svnBindings(services),
    ...svnBrowsingBindings(services),
    ...mailNotificationBindings(services),
    ...webhookBindings(services),
  ];
}
