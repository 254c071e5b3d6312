import { NotFoundError } from '@atelier/client';
import { useParams } from '@tanstack/react-router';
import { useMessages } from '../messages/index.ts';
import { NotFoundPage, Page, type PlaceNavigation, ProblemPage } from '../shell/index.ts';
import { useStanding } from '../store/index.ts';
import { AccessKeys } from './access-keys.tsx';
import { AppearanceSettings } from './appearance.tsx';
import { DataSettings } from './data.tsx';
import { Notifications } from './notifications.tsx';
import { Profile } from './profile.tsx';
import { Security } from './security.tsx';
import { SshKeys } from './ssh-keys.tsx';

const pages = {
  profile: { icon: 'user', Part: Profile },
  security: { icon: 'shield-lock', Part: Security },
  keys: { icon: 'key', Part: AccessKeys },
  ssh: { icon: 'terminal-2', Part: SshKeys },
  notifications: { icon: 'bell', Part: Notifications },
  appearance: { icon: 'sun-moon', Part: AppearanceSettings },
  data: { icon: 'database', Part: DataSettings },
} as const;

type PageName = keyof typeof pages;

const isPageName = (name: string): name is PageName => Object.hasOwn(pages, name);

function useAccountNavigation(): PlaceNavigation {
  const { account } = useMessages();
  const names: readonly PageName[] = [
    'profile',
    'security',
    'keys',
    'ssh',
    'notifications',
    'appearance',
    'data',
  ];
  return {
    title: account.title,
    back: '/',
    entries: names.map((name) => ({
      to: `/account/${name}`,
      name: account.pages[name],
      icon: pages[name].icon,
    })),
  };
}

/** `/account/{page}`: what belongs to oneself. */
export function AccountPage() {
  const { page } = useParams({ from: '/account/$page' });
  const { account } = useMessages();
  const { user } = useStanding();
  const navigation = useAccountNavigation();
  if (user === null)
    return <ProblemPage error={new NotFoundError({ status: 403, message: '', body: undefined })} />;
  if (!isPageName(page)) return <NotFoundPage />;
  const { Part } = pages[page];
  const name = account.pages[page];
  return (
    <Page
      title={name}
      crumbs={[{ name: user.real_name ?? user.display_name, to: '/account/profile' }, { name }]}
      hasOwnHeading
      hasOwnPrimary
      place={{ navigation }}
    >
      <Part />
    </Page>
  );
}
