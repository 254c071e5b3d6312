import { useLocation, useNavigate } from '@tanstack/react-router';
import { Fragment, memo, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, Button as PlainButton } from 'react-aria-components';
import { platformPagesOf } from '../kernel/platform-pages.ts';
import { languages, loadAllWords, useMessages } from '../messages/index.ts';
import {
  setAppearance,
  setPreference,
  signOut,
  usePendingChanges,
  usePreference,
  useStanding,
} from '../store/index.ts';
import {
  Button,
  Face,
  Icon,
  Key,
  LinkButton,
  later,
  Menu,
  MenuItem,
  MenuSection,
  TrackerMark,
} from '../ui/index.ts';
import styles from './bar.module.css';
import { useCommands } from './commands.ts';
import { openCreation } from './creation.ts';
import { useReasonNotToCreate } from './creation-reason.ts';
import { openDrawer, openKeys, openPalette, openRecent } from './overlays.ts';
import { personOf } from './people.ts';
import type { SignOutDialogProps } from './sign-out-dialog.tsx';

/** A part of the way from the whole to what is shown. The last one is what is shown. */
export interface Crumb {
  readonly name: string;
  /** The address it leads to; what is shown needs none. */
  readonly to?: string | undefined;
  /** The colour of a tracker. */
  readonly color?: string | undefined;
  /** What else there is beside it: a menu. */
  readonly siblings?: ReactNode;
}

function CrumbPart({
  crumb,
  isLast,
  isHeading,
}: {
  readonly crumb: Crumb;
  readonly isLast: boolean;
  readonly isHeading: boolean;
}) {
  const words = (
    <>
      {crumb.color !== undefined && <TrackerMark colour={crumb.color} />}
      <span className={styles['crumbName']}>{crumb.name}</span>
    </>
  );
  const inner =
    crumb.to === undefined ? (
      <span className={styles['crumbWords']} {...(isLast ? { 'aria-current': 'page' } : {})}>
        {words}
      </span>
    ) : (
      <Link
        href={crumb.to}
        className={styles['crumbWords'] ?? ''}
        {...(isLast ? { 'aria-current': 'page' } : {})}
      >
        {words}
      </Link>
    );
  return (
    <li className={isLast ? styles['crumbNow'] : styles['crumb']}>
      {isHeading ? <h1 className={styles['heading']}>{inner}</h1> : inner}
      {crumb.siblings}
    </li>
  );
}

function Crumbs({
  crumbs,
  hasOwnHeading,
}: {
  readonly crumbs: readonly Crumb[];
  readonly hasOwnHeading: boolean;
}) {
  const { shell } = useMessages();
  return (
    <nav aria-label={shell.breadcrumbs} className={styles['crumbs']}>
      <ol>
        {crumbs.map((crumb, index) => {
          const isLast = index === crumbs.length - 1;
          return (
            <Fragment key={`${crumb.to} ${crumb.name}`}>
              {index > 0 && (
                <li className={styles['slash']} aria-hidden="true">
                  /
                </li>
              )}
              <CrumbPart crumb={crumb} isLast={isLast} isHeading={isLast && !hasOwnHeading} />
            </Fragment>
          );
        })}
      </ol>
    </nav>
  );
}

const languageNames: Readonly<Record<string, string>> = { en: 'English', fr: 'Français' };

/** Most people leave nothing behind. */
const signingOut = later(
  async () => (await Promise.all([import('./sign-out-dialog.tsx'), loadAllWords()]))[0],
);

function SignOut(props: SignOutDialogProps) {
  const { SignOutDialog } = signingOut.use();
  return <SignOutDialog {...props} />;
}

function PersonMenu() {
  const { shell } = useMessages();
  const standing = useStanding();
  const { user } = standing;
  const [adminPage] = platformPagesOf(standing);
  const navigate = useNavigate();
  const [language] = usePreference('web.language');
  const [isAsking, setAsking] = useState(false);
  const waiting = usePendingChanges().length;
  const theme = (value: 'light' | 'dark' | 'system') => () => {
    setAppearance({ theme: value });
    void setPreference('web.theme', value);
  };
  const density = (value: 'comfortable' | 'compact') => () => {
    setAppearance({ density: value });
    void setPreference('web.density', value);
  };
  const leave = () => (waiting > 0 ? setAsking(true) : void signOut());
  // What was to be lost has been saved while somebody read of it.
  useEffect(() => {
    if (isAsking && waiting === 0) void signOut();
  }, [isAsking, waiting]);
  const languageCommands = languages.map((code) => ({
    id: `language-${code}`,
    name: `${shell.language}: ${languageNames[code] ?? code}`,
    icon: 'language',
    run: () => void setPreference('web.language', code),
  }));
  useCommands(
    user === null
      ? []
      : [
          {
            id: 'theme-light',
            name: `${shell.theme}: ${shell.themeLight}`,
            icon: 'sun',
            run: theme('light'),
          },
          { id: 'theme-dark', name: `${shell.theme}: ${shell.themeDark}`, icon: 'moon', run: theme('dark') },
          {
            id: 'theme-system',
            name: `${shell.theme}: ${shell.themeSystem}`,
            icon: 'sun-moon',
            run: theme('system'),
          },
          {
            id: 'density-comfortable',
            name: `${shell.density}: ${shell.comfortable}`,
            icon: 'layout-list',
            run: density('comfortable'),
          },
          {
            id: 'density-compact',
            name: `${shell.density}: ${shell.compact}`,
            icon: 'list',
            run: density('compact'),
          },
          ...languageCommands,
          ...(adminPage === undefined
            ? []
            : [
                {
                  id: 'platform',
                  name: shell.platform,
                  icon: 'shield',
                  run: () => void navigate({ to: `/admin/${adminPage}` }),
                },
              ]),
          { id: 'sign-out', name: shell.signOut, icon: 'logout', run: leave },
        ],
  );
  if (user === null) return null;
  const person = personOf(user);
  return (
    <>
      <Menu
        placement="bottom end"
        trigger={
          <PlainButton className={styles['face'] ?? ''} aria-label={shell.you(person.name)}>
            <Face {...person} size={24} />
          </PlainButton>
        }
      >
        <MenuSection name={person.name}>
          <MenuItem icon="user" href="/account/profile">
            {shell.account}
          </MenuItem>
          <MenuItem icon="key" href="/account/keys">
            {shell.accessKeys}
          </MenuItem>
          {adminPage === undefined ? null : (
            <MenuItem icon="shield" href={`/admin/${adminPage}`}>
              {shell.platform}
            </MenuItem>
          )}
        </MenuSection>
        <MenuSection name={shell.theme}>
          <MenuItem icon="sun" onAction={theme('light')}>
            {shell.themeLight}
          </MenuItem>
          <MenuItem icon="moon" onAction={theme('dark')}>
            {shell.themeDark}
          </MenuItem>
          <MenuItem icon="sun-moon" onAction={theme('system')}>
            {shell.themeSystem}
          </MenuItem>
        </MenuSection>
        <MenuSection name={shell.density}>
          <MenuItem onAction={density('comfortable')}>{shell.comfortable}</MenuItem>
          <MenuItem onAction={density('compact')}>{shell.compact}</MenuItem>
        </MenuSection>
        <MenuSection name={shell.language}>
          {languages.map((code) => (
            <MenuItem
              key={code}
              icon="language"
              isSet={code === language}
              onAction={() => void setPreference('web.language', code)}
            >
              {languageNames[code] ?? code}
            </MenuItem>
          ))}
        </MenuSection>
        <MenuSection>
          <MenuItem icon="history" onAction={openRecent}>
            {shell.recentActions}
          </MenuItem>
          <MenuItem icon="keyboard" keys="?" onAction={openKeys}>
            {shell.keys}
          </MenuItem>
          <MenuItem icon="help-circle" onAction={() => void navigate({ to: '/help' })}>
            {shell.help}
          </MenuItem>
          <MenuItem icon="logout" onAction={leave}>
            {shell.signOut}
          </MenuItem>
        </MenuSection>
      </Menu>
      {isAsking && (
        <Suspense fallback={null}>
          <SignOut waiting={waiting} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}

function Create({ isPlain }: { readonly isPlain: boolean }) {
  const { shell } = useMessages();
  const { user } = useStanding();
  const reasonNot = useReasonNotToCreate();
  if (user === null) return null;
  return (
    <Button
      kind={isPlain ? 'plain' : 'primary'}
      icon="plus"
      reasonNot={reasonNot ?? null}
      aria-label={shell.create}
      className={styles['create'] ?? ''}
      onPress={() => openCreation({})}
    >
      <span>{shell.create}</span>
    </Button>
  );
}

function SignInLink() {
  const { shell } = useMessages();
  const { user } = useStanding();
  const to = useLocation({ select: ({ href }) => href });
  if (user !== null) return null;
  return (
    <LinkButton kind="plain" href={to === '/' ? '/login' : `/login?return_to=${encodeURIComponent(to)}`}>
      {shell.signIn}
    </LinkButton>
  );
}

export interface BarProps {
  readonly crumbs: readonly Crumb[];
  readonly hasOwnHeading: boolean;
  readonly hasOwnPrimary: boolean;
  readonly actions?: ReactNode;
}

/** The line on top of every page: where one is, and what is always at hand. What happens below it draws it anew only where it is told other things. */
export const Bar = memo(function Bar({ crumbs, hasOwnHeading, hasOwnPrimary, actions }: BarProps) {
  const { shell } = useMessages();
  return (
    <header className={styles['bar']}>
      <PlainButton className={styles['menu'] ?? ''} aria-label={shell.openMenu} onPress={openDrawer}>
        <Icon name="menu-2" size={20} />
      </PlainButton>
      <Crumbs crumbs={crumbs} hasOwnHeading={hasOwnHeading} />
      <div className={styles['actions']}>{actions}</div>
      <div className={styles['always']}>
        <PlainButton className={styles['search'] ?? ''} aria-label={shell.search} onPress={openPalette}>
          <Icon name="search" />
          <span className={styles['searchWord']}>{shell.search}</span>
          <Key keys="Mod k" />
        </PlainButton>
        <Create isPlain={hasOwnPrimary} />
        <SignInLink />
        <PersonMenu />
      </div>
    </header>
  );
});
