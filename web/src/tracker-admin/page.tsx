import { ForbiddenError } from '@atelier/client';
import type { Tracker } from '@atelier/client/routes';
import { useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useMessages } from '../messages/index.ts';
import {
  NotFoundPage,
  Outline,
  Page,
  type PlaceNavigation,
  ProblemPage,
  useStaying,
} from '../shell/index.ts';
import { useTracker } from '../store/index.ts';
import type { IconName } from '../ui/index.ts';
import { FormPage } from './form/index.ts';
import { PermissionsPage } from './permissions/index.ts';
import {
  GeneralPage,
  NotificationsPage,
  RulesPage,
  SemanticsPage,
  TrashPage,
  TriggersPage,
  ViewsPage,
} from './settings/index.ts';
import { WorkflowPage } from './workflow/index.ts';

export interface PartProps {
  readonly tracker: Tracker;
}

interface AdminPage {
  readonly icon: IconName;
  readonly Part: ComponentType<PartProps>;
  /** Scrolls inside of itself. */
  readonly fillsHeight?: boolean;
}

const pages = {
  general: { icon: 'adjustments-horizontal', Part: GeneralPage },
  form: { icon: 'forms', Part: FormPage, fillsHeight: true },
  permissions: { icon: 'lock', Part: PermissionsPage, fillsHeight: true },
  semantics: { icon: 'puzzle', Part: SemanticsPage },
  workflow: { icon: 'arrows-split-2', Part: WorkflowPage, fillsHeight: true },
  rules: { icon: 'ruler-2', Part: RulesPage },
  triggers: { icon: 'bolt', Part: TriggersPage },
  notifications: { icon: 'bell', Part: NotificationsPage },
  views: { icon: 'table', Part: ViewsPage },
  trash: { icon: 'trash', Part: TrashPage },
} as const satisfies Record<string, AdminPage>;

type PageName = keyof typeof pages;
const isPageName = (name: string): name is PageName => Object.hasOwn(pages, name);

function useNavigation({ id, label }: Tracker): PlaceNavigation {
  const { trackerAdmin: words } = useMessages();
  const names = Object.keys(pages).filter(isPageName);
  return {
    title: label,
    back: `/trackers/${id}`,
    entries: [
      ...names.map((name) => ({
        to: `/trackers/${id}/admin/${name}`,
        name: words.pages[name],
        icon: pages[name].icon,
      })),
      { to: `/trackers/${id}/import`, name: words.pages.import, icon: 'file-import' },
    ],
  };
}

function OfTracker({ tracker, name }: { readonly tracker: Tracker; readonly name: PageName }) {
  const { trackerAdmin: words } = useMessages();
  const navigation = useNavigation(tracker);
  const page: AdminPage = pages[name];
  const project = `projects/${tracker.project.id}`;
  return (
    <Page
      title={`${words.pages[name]} · ${tracker.label} · ${tracker.project.label}`}
      crumbs={[
        { name: tracker.project.label, to: `/${project}` },
        { name: tracker.label, color: tracker.color_name, to: `/trackers/${tracker.id}` },
        { name: words.pages[name] },
      ]}
      place={{ project, tracker: tracker.uri, navigation }}
      hasOwnPrimary
      fillsHeight={page.fillsHeight === true}
    >
      <page.Part key={tracker.id} tracker={tracker} />
    </Page>
  );
}

/** `/trackers/{id}/admin/{page}`: for those who administer the tracker. */
export function TrackerAdminPage() {
  const { id, page } = useParams({ from: '/trackers/$id/admin/$page' });
  const { trackerAdmin: words } = useMessages();
  const { thing: tracker, error, askAgain } = useTracker(`trackers/${id}`);
  const isShown = useStaying(`${id} ${page}`, tracker?.is_administrator === true);
  if (tracker === undefined)
    return error === null ? <Outline /> : <ProblemPage error={error} askAgain={askAgain} />;
  if (!isShown)
    return (
      <ProblemPage
        error={new ForbiddenError({ status: 403, message: words.notAdministrator, body: undefined })}
      />
    );
  return isPageName(page) ? <OfTracker tracker={tracker} name={page} /> : <NotFoundPage />;
}
