import type { IntegrationData } from '@atelier/contract';
import { version } from '../kernel/version.ts';
import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import {
  administrationPage,
  countsAsAdministrator,
  isPrivate,
  type Project,
  projectPage,
  type ReferenceKeyword,
  type Service,
} from '../projects/index.ts';

/** What pages of other programs are told of a project, so that they can show its menu. */
export interface IntegrationFacts {
  readonly viewer: Viewer;
  readonly project: Project;
  readonly services: readonly Service[];
  readonly activeService: string | undefined;
  readonly isSidebarCollapsed: boolean;
  readonly keywords: readonly ReferenceKeyword[];
}

const words = {
  tools: 'Tools',
  homepage: 'Project homepage',
  project_administration: 'Project administration',
  project_announcement: 'Show project announcement',
  show_project_announcement: 'Show project announcement',
  open_sidebar: 'Open the sidebar',
  close_sidebar: 'Close the sidebar',
};

const explanations: Readonly<Record<Project['access'], { title: string; text: string }>> = {
  public: { title: 'Public', text: 'Everybody who may use this platform can see the project.' },
  unrestricted: {
    title: 'Public incl. restricted',
    text: 'Everybody who may use this platform can see the project, restricted users too.',
  },
  private: { title: 'Private', text: 'Only members of the project can see it.' },
  'private-wo-restr': {
    title: 'Private',
    text: 'Only members of the project can see it; restricted users cannot be members.',
  },
};

function privacyOf({ access }: Project, { accessMode }: Viewer) {
  const { title, text } = explanations[access];
  return {
    are_restricted_users_allowed: accessMode === 'restricted',
    project_is_public: access === 'public',
    project_is_public_incl_restricted: access === 'unrestricted',
    project_is_private: isPrivate(access),
    project_is_private_incl_restricted: access === 'private' && accessMode === 'restricted',
    privacy_title: title,
    explanation_text: text,
  };
}

function toolOf(service: Service, activeService: string | undefined) {
  return {
    href: service.url,
    label: service.label,
    description: service.description,
    icon: service.icon,
    open_in_new_tab: service.opensInNewTab,
    is_active: service.name !== '' && service.name === activeService,
    shortcut_id: service.name,
    promoted_items: [],
    info_tooltip: '',
  };
}

function sidebarConfig({ viewer, project, services, activeService }: IntegrationFacts): object {
  return {
    internationalization: words,
    project: {
      icon: project.icon,
      name: project.label,
      href: projectPage(project),
      administration_href: administrationPage(project),
      privacy: privacyOf(project, viewer),
      has_project_announcement: project.banner !== null,
      flags: [],
      linked_projects: null,
    },
    user: {
      is_project_administrator: countsAsAdministrator(viewer, project),
      is_logged_in: !isAnonymous(viewer),
    },
    instance_information: {
      version: {
        flavor_name: 'Atelier',
        version_identifier: version,
        full_descriptive_version: `Atelier ${version}`,
      },
      copyright: null,
      logo: { logo_link_href: '/', svg: null, legacy_png_href: null },
    },
    tools: services.filter(({ isEnabled }) => isEnabled).map((service) => toolOf(service, activeService)),
  };
}

const styleSheet = [
  ':root {',
  '  --atelier-main-color: #1c7ed6;',
  '  --atelier-text-color: #212529;',
  '  --atelier-background-color: #ffffff;',
  '  --atelier-sidebar-color: #f1f3f5;',
  '}',
].join('\n');

export function presentIntegrationData(facts: IntegrationFacts): IntegrationData {
  return {
    project_sidebar: {
      is_collapsed: facts.isSidebarCollapsed,
      config: JSON.stringify(sidebarConfig(facts)),
    },
    styles: { content: styleSheet, variant_name: 'blue', should_display_favicon_variant: false },
    references: facts.keywords.map(({ keyword, description }) => ({ keyword, description })),
  };
}
