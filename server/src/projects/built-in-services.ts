import { type Project, shortnameKey } from './model.ts';

interface BuiltInService {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  url(project: Pick<Project, 'id' | 'shortname'>): string;
}

export const projectPage = ({ shortname }: Pick<Project, 'shortname'>) =>
  `/projects/${shortnameKey(shortname)}`;
export const administrationPage = (project: Pick<Project, 'shortname'>) => `${projectPage(project)}/admin`;

/** The tools there are, in the order in which a new project shows them. */
export const builtInServices: ReadonlyMap<string, BuiltInService> = new Map<string, BuiltInService>([
  ['summary', { label: 'Home', description: 'Project home page', icon: 'ti ti-home', url: projectPage }],
  [
    'admin',
    {
      label: 'Administration',
      description: 'Project administration',
      icon: 'ti ti-settings',
      url: administrationPage,
    },
  ],
  [
    'plugin_tracker',
    {
      label: 'Trackers',
      description: 'Project trackers',
      icon: 'ti ti-list-details',
      url: ({ id }) => `/plugins/tracker/?group_id=${id}`,
    },
  ],
  [
    'plugin_svn',
    {
      label: 'Subversion',
      description: 'Subversion repositories',
      icon: 'ti ti-git-branch',
      url: ({ id }) => `/plugins/svn/?group_id=${id}`,
    },
  ],
]);
