/** What the operations below the first part of a path are about. */
const descriptions = {
  access_keys: 'Keys by which programs act for somebody',
  artifact_files: 'Reading attached files in chunks',
  artifact_ranks: 'The order of artifacts',
  artifact_temporary_files: 'Files that are uploaded in chunks before they are attached',
  artifacts: 'Bugs, tasks, stories and whatever else trackers hold: values, comments, links and history',
  crosstracker_query: 'Queries over several trackers',
  crosstracker_widget: 'Widgets that keep such queries',
  deleted_artifacts: 'Artifacts that can be brought back',
  deleted_projects: 'Projects that can be brought back',
  deleted_svn: 'Repositories that can be brought back',
  deleted_trackers: 'Trackers that can be brought back',
  jwt: 'Signed statements for push servers',
  link_types: 'Types of links between artifacts',
  platform: 'Settings of the platform, delegated permissions, mails that were given up',
  project_fields: 'What every project tells about itself',
  project_imports: 'Projects out of archives',
  project_services: 'Tools and links in the menus of projects',
  projects: 'Projects with their settings, members, trackers and pages',
  search: 'Words in all artifacts',
  sessions: 'Logging in by web pages',
  svn: 'Subversion repositories: settings, files and revisions',
  system_event: 'Background tasks of the platform',
  tokens: 'Logging in by user name and password, for older programs',
  tracker_fields: 'Fields of trackers, their values, permissions and uploads',
  tracker_reports: 'Saved searches',
  tracker_workflow_transitions: 'Which value may follow which, under what conditions',
  trackers: 'Trackers: form, permissions, semantics, rules, and the artifacts in them',
  user_groups: 'Groups of people in projects',
  users: 'Accounts and what belongs to them',
  users_memberships: 'Who belongs to which groups',
  version: 'What runs here',
  webhooks: 'Telling other servers about changes',
};

export type Tag = keyof typeof descriptions;

export const tagDescriptions: Readonly<Record<string, string>> = descriptions;
