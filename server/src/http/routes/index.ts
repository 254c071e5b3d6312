/*
 * Every route there is, as one list. A resource is a sub-room; a route ties a function to its contract (`bind`), in about ten lines: decide, act, present.
 * deleted-projects.ts lies here because several resources need it.
 */

import type { RouteBinding } from '../route.ts';
import type { Services } from '../services.ts';
import {
  artifactBindings,
  artifactHistoryBindings,
  artifactLinkBindings,
  artifactMoveBindings,
  artifactRankBindings,
  artifactRowBindings,
  artifactTableBindings,
  bulkChangeBindings,
  deletedArtifactBindings,
  fileBindings,
  timelineBindings,
  trackerArtifactBindings,
} from './artifacts/index.ts';
import { dashboardBindings } from './dashboards/index.ts';
import { deletedProjectBindings } from './deleted-projects.ts';
import {
  credentialBindings,
  membershipBindings,
  notificationBindings,
  ownPlaceBindings,
  passwordResetBindings,
  standingBindings,
  userBindings,
  userGroupBindings,
} from './people/index.ts';
import {
  eventBindings,
  platformBindings,
  platformCareBindings,
  platformUserBindings,
} from './platform/index.ts';
import {
  labelBindings,
  projectBindings,
  projectFieldBindings,
  projectHistoryBindings,
  projectImportBindings,
  projectPageBindings,
  projectPeopleBindings,
  projectServiceBindings,
  projectSettingsBindings,
} from './projects/index.ts';
import { crossTrackerBindings, fullTextBindings, quickSearchBindings } from './search/index.ts';
import { svnBindings, svnBrowsingBindings } from './svn/index.ts';
import {
  deletedTrackerBindings,
  linkTypeBindings,
  mailNotificationBindings,
  trackerAdministrationBindings,
  trackerBindings,
  trackerCheckBindings,
  trackerFormBindings,
  trackerReportBindings,
  webhookBindings,
  workflowBindings,
} from './trackers/index.ts';

/** Everything below `/api`. */
export function routeBindings(services: Services): RouteBinding[] {
  return [
    ...platformBindings(services),
    ...platformUserBindings(services),
    ...platformCareBindings(services),
    ...credentialBindings(services),
    ...userBindings(services),
    ...ownPlaceBindings(services),
    ...standingBindings(services),
    ...notificationBindings(services),
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
    ...trackerCheckBindings(services),
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
    ...dashboardBindings(services),
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
    ...eventBindings(services),
  ];
}
