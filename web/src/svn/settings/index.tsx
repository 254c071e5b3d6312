import { useMessages } from '../../messages/index.ts';
import { NotFoundPage, Page, type PlaceNavigation } from '../../shell/index.ts';
import { useMembership, useStanding } from '../../store/index.ts';
import type { SvnRepository } from '../calls.ts';
import type { Whereabouts } from '../place.tsx';
import { AccessFile } from './access.tsx';
import { Notifications } from './notifications.tsx';
import { Administrators, Danger } from './others.tsx';
import { Rules } from './rules.tsx';
import { Statistics } from './statistics.tsx';
import { Tags } from './tags.tsx';

const pages = {
  rules: { icon: 'list-check', Part: Rules },
  tags: { icon: 'tag', Part: Tags },
  access: { icon: 'shield-lock', Part: AccessFile },
  notifications: { icon: 'mail', Part: Notifications },
  administrators: { icon: 'users', Part: Administrators },
  statistics: { icon: 'chart-bar', Part: Statistics },
  danger: { icon: 'trash', Part: Danger },
} as const satisfies Record<
  string,
  { icon: string; Part: (props: { repository: SvnRepository }) => unknown }
>;

type PageName = keyof typeof pages;
const names = Object.keys(pages).filter((name): name is PageName => Object.hasOwn(pages, name));

/** `…/settings/{page}`, for those who administer the repository. */
export function SvnSettingsPage({ where, page }: { readonly where: Whereabouts; readonly page: string }) {
  const { svn } = useMessages();
  const { repository, addresses } = where;
  const { is_site_administrator: isSiteAdministrator } = useStanding();
  const isAdministrator =
    useMembership(repository.project.uri)?.is_administrator === true || isSiteAdministrator;
  const known = names.find((name) => name === page);
  if (known === undefined || repository.settings === undefined) return <NotFoundPage />;
  const { Part } = pages[known];
  const offered = names.filter((name) => name !== 'administrators' || isAdministrator);
  const navigation: PlaceNavigation = {
    title: svn.settingsOf(repository.name),
    back: addresses.page('tree', ''),
    entries: offered.map((name) => ({
      to: addresses.settings(name),
      name: svn.pages[name],
      icon: pages[name].icon,
    })),
  };
  const { project } = repository;
  return (
    <Page
      title={`${svn.pages[known]} · ${repository.name}`}
      crumbs={[
        { name: project.label_without_icon, to: `/projects/${project.shortname}` },
        { name: svn.title, to: `/projects/${project.shortname}/svn` },
        { name: repository.name, to: addresses.page('tree', '') },
        { name: svn.pages[known] },
      ]}
      hasOwnHeading
      hasOwnPrimary
      place={{ project: project.uri, navigation }}
    >
      <Part key={known} repository={repository} />
    </Page>
  );
}
