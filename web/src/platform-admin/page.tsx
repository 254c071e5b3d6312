import { ForbiddenError } from '@atelier/client';
import { useParams } from '@tanstack/react-router';
import { isPlatformPage, type PlatformPage } from '../kernel/platform-pages.ts';
import { useMessages } from '../messages/index.ts';
import { NotFoundPage, Page, type PlaceNavigation, ProblemPage, useStaying } from '../shell/index.ts';
import type { IconName } from '../ui/index.ts';
import { Audit } from './audit.tsx';
import { Backups } from './backups.tsx';
import { useHealth, useProjects } from './calls.ts';
import { Events } from './events.tsx';
import { Groups } from './groups.tsx';
import { Health } from './health.tsx';
import { Imports } from './imports.tsx';
import { LinkTypes } from './link-types.tsx';
import { Mail } from './mail.tsx';
import { Overview } from './overview.tsx';
import { ProjectFields } from './project-fields.tsx';
import { Projects } from './projects.tsx';
import { useAdminRights } from './rights.ts';
import { Settings } from './settings.tsx';
import { Trash } from './trash.tsx';
import { Users } from './users.tsx';
import { Webhooks } from './webhooks.tsx';

const parts: Readonly<Record<PlatformPage, { readonly icon: IconName; Part(): React.ReactNode }>> = {
  overview: { icon: 'layout-dashboard', Part: Overview },
  users: { icon: 'users', Part: Users },
  groups: { icon: 'users-group', Part: Groups },
  projects: { icon: 'folder', Part: Projects },
  settings: { icon: 'adjustments-horizontal', Part: Settings },
  'link-types': { icon: 'link', Part: LinkTypes },
  'project-fields': { icon: 'list-details', Part: ProjectFields },
  imports: { icon: 'upload', Part: Imports },
  mail: { icon: 'mail', Part: Mail },
  webhooks: { icon: 'webhook', Part: Webhooks },
  audit: { icon: 'shield-lock', Part: Audit },
  events: { icon: 'history', Part: Events },
  trash: { icon: 'trash', Part: Trash },
  backups: { icon: 'database', Part: Backups },
  health: { icon: 'heart-rate-monitor', Part: Health },
};

/** How much on each page needs a hand; nothing is said where nothing does. */
function useCounts(pages: readonly PlatformPage[]): Partial<Record<PlatformPage, number>> {
  const seesAll = pages.includes('health');
  const health = useHealth(seesAll).data;
  const pending = useProjects('pending', '', seesAll).size;
  const wrong = health?.checks.filter(({ state }) => state !== 'ok').length;
  const counts = { projects: pending, mail: health?.failed_mails, health: wrong };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => (count ?? 0) > 0));
}

function useNavigation(pages: readonly PlatformPage[]): PlaceNavigation {
  const { platformAdmin } = useMessages();
  const counts = useCounts(pages);
  return {
    title: platformAdmin.title,
    back: '/',
    entries: pages.map((name) => ({
      to: `/admin/${name}`,
      name: platformAdmin.pages[name],
      icon: parts[name].icon,
      count: counts[name],
    })),
  };
}

/** `/admin/{page}`: the platform as a whole. */
export function PlatformAdminPage() {
  const { page } = useParams({ from: '/admin/$page' });
  const { platformAdmin } = useMessages();
  const { pages } = useAdminRights();
  const navigation = useNavigation(pages);
  const isShown = useStaying(page, isPlatformPage(page) && pages.includes(page));
  if (!isPlatformPage(page)) return <NotFoundPage />;
  if (!isShown)
    return <ProblemPage error={new ForbiddenError({ status: 403, message: '', body: undefined })} />;
  const { Part } = parts[page];
  const name = platformAdmin.pages[page];
  return (
    <Page
      title={`${name} · ${platformAdmin.title}`}
      crumbs={[{ name: platformAdmin.title, to: `/admin/${pages[0] ?? page}` }, { name }]}
      hasOwnHeading
      hasOwnPrimary
      place={{ navigation }}
    >
      <Part />
    </Page>
  );
}
