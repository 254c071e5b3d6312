import { ForbiddenError } from '@atelier/client';
import type { Project } from '@atelier/client/routes';
import { useParams } from '@tanstack/react-router';
import { useMessages } from '../messages/index.ts';
import {
  NotFoundPage,
  Outline,
  Page,
  type PlaceNavigation,
  ProblemPage,
  useStaying,
} from '../shell/index.ts';
import { useMembership, useProjectNamed, useStanding } from '../store/index.ts';
import type { IconName } from '../ui/index.ts';
import { Access } from './access.tsx';
import { Archive } from './archive.tsx';
import { Details } from './details.tsx';
import { Groups } from './groups.tsx';
import { History } from './history.tsx';
import { Labels } from './labels.tsx';
import { LinkTypes } from './link-types.tsx';
import { Members } from './members.tsx';
import { References } from './references.tsx';
import { Services } from './services.tsx';
import { Trash } from './trash.tsx';
import { Webhooks } from './webhooks.tsx';

const parts = {
  details: { icon: 'settings', Part: Details },
  access: { icon: 'lock', Part: Access },
  members: { icon: 'users', Part: Members },
  groups: { icon: 'users-group', Part: Groups },
  services: { icon: 'layout-list', Part: Services },
  labels: { icon: 'tag', Part: Labels },
  links: { icon: 'link', Part: LinkTypes },
  references: { icon: 'quote', Part: References },
  webhooks: { icon: 'webhook', Part: Webhooks },
  archive: { icon: 'archive', Part: Archive },
  history: { icon: 'history', Part: History },
  trash: { icon: 'trash', Part: Trash },
} as const satisfies Readonly<
  Record<string, { icon: IconName; Part(props: { readonly project: Project }): React.ReactNode }>
>;

type PageName = keyof typeof parts;
const pageNames = Object.keys(parts) as PageName[];
const isPageName = (name: string): name is PageName => Object.hasOwn(parts, name);

/** The pages that somebody has in a project: all for its administrators, the members for those who manage these. */
function usePages(project: string | undefined): readonly PageName[] {
  const { is_site_administrator: isSiteAdministrator } = useStanding();
  const membership = useMembership(project);
  if (isSiteAdministrator || membership?.is_administrator === true) return pageNames;
  return membership?.may_manage_members === true ? ['members'] : [];
}

function useNavigation(project: Project | undefined, pages: readonly PageName[]): PlaceNavigation {
  const { projectAdmin } = useMessages();
  const address = `/projects/${project?.shortname ?? ''}`;
  return {
    title: project?.label_without_icon ?? '',
    back: address,
    entries: pages.map((name) => ({
      to: `${address}/admin/${name}`,
      name: projectAdmin.pages[name],
      icon: parts[name].icon,
    })),
  };
}

/** `/projects/{shortname}/admin/{page}`: what a project decides about itself. */
export function ProjectAdminPage() {
  const { name, page } = useParams({ from: '/projects/$name/admin/$page' });
  const { projectAdmin } = useMessages();
  const { thing: project, uri, error, askAgain } = useProjectNamed(name);
  const pages = usePages(uri);
  const navigation = useNavigation(project, pages);
  const isShown = useStaying(page, isPageName(page) && pages.includes(page));
  if (project === undefined)
    return error === null ? <Outline /> : <ProblemPage error={error} askAgain={askAgain} />;
  if (!isPageName(page)) return <NotFoundPage />;
  if (!isShown)
    return <ProblemPage error={new ForbiddenError({ status: 403, message: '', body: undefined })} />;
  const { Part } = parts[page];
  const title = projectAdmin.pages[page];
  const label = project.label_without_icon;
  return (
    <Page
      title={`${title} · ${label}`}
      crumbs={[{ name: label, to: `/projects/${project.shortname}` }, { name: title }]}
      hasOwnHeading
      hasOwnPrimary
      place={{ project: project.uri, navigation }}
    >
      <Part project={project} />
    </Page>
  );
}
