import { readImport } from '../archive/index.ts';
import { type ReadContext, viewFor } from '../artifacts/index.ts';
import type { LiveKind, TrackerDeed } from '../kernel/events.ts';
import { countUnreadIn } from '../notify/index.ts';
import { requireProject } from '../projects/index.ts';
import { readRepository } from '../svn/index.ts';
import { maySeeTrackersOf, viewOf } from '../trackers/index.ts';
import {
  artifactCreated,
  artifactDeleted,
  artifactMoved,
  artifactRanked,
  artifactRestored,
  artifactUpdated,
  commentEdited,
} from './artifacts.ts';
import { deedOf, type Message, standing, type Teller } from './model.ts';
import { isAllowed } from './topics.ts';

const projectTopic = (id: number) => `projects/${id}`;
const trackerTopic = (id: number) => `trackers/${id}`;

const mayReadProject = ({ reader, viewer }: ReadContext, id: number) =>
  isAllowed(requireProject(reader, viewer, id, 'project'));

/** Of one that was deleted: whether they could see it, as it is kept. */
async function couldSeeTracker(readContext: ReadContext, { trackerId }: TrackerDeed): Promise<boolean> {
  const { reader, viewer, trackers, revisions } = readContext;
  const tracker = await trackers.find(reader, trackerId, revisions);
  if (tracker === undefined) return false;
  const access = await trackers.projectAccess(reader, viewer, tracker.project.id, revisions);
  const before = { ...tracker, isDeleted: false };
  return maySeeTrackersOf(viewer, access) && viewOf(before, access).canView;
}

const trackerChanged: Teller<'tracker.changed'> = {
  topicsOf: ({ trackerId, projectId }) => [trackerTopic(trackerId), projectTopic(projectId)],
  async messagesFor({ facts, client }, readContext) {
    const { trackerId, projectId, what, by } = facts;
    const isTold =
      what === 'deleted'
        ? await couldSeeTracker(readContext, facts)
        : (await viewFor(readContext, trackerId)) !== undefined;
    const data = { uri: trackerTopic(trackerId), project: projectTopic(projectId), what };
    return isTold ? [{ event: 'tracker', data: { ...data, ...deedOf(by, client) } }] : [];
  },
};

const projectMessage = (projectId: number, what: string, deed: object): Message => ({
  event: 'project',
  data: { uri: projectTopic(projectId), what, ...deed },
});

const projectChanged: Teller<'project.changed'> = {
  topicsOf: ({ projectId }) => [projectTopic(projectId), 'platform'],
  async messagesFor({ facts: { projectId, what, by }, client }, readContext) {
    const isTold = await mayReadProject(readContext, projectId);
    return isTold ? [projectMessage(projectId, what, deedOf(by, client))] : [];
  },
};

const svnMessage = (id: number, projectId: number, what: string, deed: object): Message => ({
  event: 'svn',
  data: { uri: `svn/${id}`, project: projectTopic(projectId), what, ...deed },
});

const mayReadRepository = ({ reader, viewer }: ReadContext, id: number) =>
  isAllowed(readRepository(reader, viewer, id));

/** Which revision it was is not told: its paths may not be for everybody who sees the repository. */
const svnCommit: Teller<'svn.commit'> = {
  topicsOf: ({ projectId }) => [projectTopic(projectId)],
  async messagesFor({ facts: { repositoryId: id, projectId, by }, client }, readContext) {
    const isTold = await mayReadRepository(readContext, id);
    return isTold ? [svnMessage(id, projectId, 'committed', deedOf(by, client))] : [];
  },
};

const svnChanged: Teller<'svn.changed'> = {
  topicsOf: ({ projectId }) => [projectTopic(projectId)],
  async messagesFor({ facts: { repositoryId: id, projectId, what, by }, client }, readContext) {
    const isTold =
      what === 'deleted'
        ? await mayReadProject(readContext, projectId)
        : await mayReadRepository(readContext, id);
    return isTold ? [svnMessage(id, projectId, what, deedOf(by, client))] : [];
  },
};

const reportChanged: Teller<'report.changed'> = {
  topicsOf: ({ trackerId, projectId }) => [trackerTopic(trackerId), projectTopic(projectId)],
  async messagesFor({ facts, client }, readContext) {
    const { reportId, trackerId, projectId, ownerId, what, by } = facts;
    const isTheirs = ownerId === null || ownerId === readContext.viewer.userId;
    if (!isTheirs || (await viewFor(readContext, trackerId)) === undefined) return [];
    const places = { project: projectTopic(projectId), tracker: trackerTopic(trackerId) };
    const data = { uri: `tracker_reports/${reportId}`, ...places, what, ...deedOf(by, client) };
    return [{ event: 'report', data }];
  },
};

const dashboardChanged: Teller<'dashboard.changed'> = {
  topicsOf: ({ projectId }) => (projectId === null ? [] : [projectTopic(projectId)]),
  peopleOf: async ({ ownerId }) => (ownerId === null ? [] : [ownerId]),
  async messagesFor({ facts, client }, readContext) {
    const { dashboardId, projectId, ownerId, what, by } = facts;
    const isTold =
      projectId === null
        ? ownerId === readContext.viewer.userId
        : await mayReadProject(readContext, projectId);
    const place = projectId === null ? {} : { project: projectTopic(projectId) };
    const data = { uri: `dashboards/${dashboardId}`, ...place, what, ...deedOf(by, client) };
    return isTold ? [{ event: 'dashboard', data }] : [];
  },
};

const importTopics = (importId: number) => [`imports/${importId}`, 'platform'];

async function importMessages(
  { reader, viewer }: ReadContext,
  importId: number,
  deed: object,
): Promise<Message[]> {
  if (!(await isAllowed(readImport(reader, viewer, importId)))) return [];
  return [{ event: 'import', data: { uri: `project_imports/${importId}`, what: 'changed', ...deed } }];
}

const importChanged: Teller<'import.changed'> = {
  topicsOf: ({ importId }) => importTopics(importId),
  messagesFor: ({ facts: { importId, by }, client }, readContext) =>
    importMessages(readContext, importId, deedOf(by, client)),
};

const projectImported: Teller<'project.imported'> = {
  topicsOf: ({ importId, projectId }) => [...importTopics(importId), projectTopic(projectId)],
  async messagesFor({ facts: { importId, projectId, by }, client }, readContext) {
    const deed = deedOf(by, client);
    const ofProject = (await mayReadProject(readContext, projectId))
      ? [projectMessage(projectId, 'changed', deed)]
      : [];
    return [...(await importMessages(readContext, importId, deed)), ...ofProject];
  },
};

const notificationChanged: Teller<'notification.changed'> = {
  topicsOf: () => [],
  peopleOf: async ({ accountId }) => [accountId],
  async messagesFor({ facts: { notificationId }, client }, readContext) {
    const uri = notificationId === null ? 'notifications' : `notifications/${notificationId}`;
    return [{ event: 'notification', data: { uri, unread: await countUnreadIn(readContext), client } }];
  },
};

const standingChanged: Teller<'standing.changed'> = {
  topicsOf: () => [],
  peopleOf: async ({ accountIds }) => accountIds,
  messagesFor: async ({ client }) => [{ event: standing.event, data: { client } }],
};

/** What is told of each kind of event. */
export const tellers: { readonly [Kind in LiveKind]: Teller<Kind> } = {
  'artifact.created': artifactCreated,
  'artifact.updated': artifactUpdated,
  'artifact.moved': artifactMoved,
  'artifact.deleted': artifactDeleted,
  'artifact.restored': artifactRestored,
  'artifact.ranked': artifactRanked,
  'comment.edited': commentEdited,
  'svn.commit': svnCommit,
  'svn.changed': svnChanged,
  'project.imported': projectImported,
  'project.changed': projectChanged,
  'tracker.changed': trackerChanged,
  'report.changed': reportChanged,
  'dashboard.changed': dashboardChanged,
  'import.changed': importChanged,
  'notification.changed': notificationChanged,
  'standing.changed': standingChanged,
};
