import { NotFoundError } from '@atelier/client';
import { Outlet, useLocation, useMatches, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { Modal, ModalOverlay, Dialog as PlainDialog } from 'react-aria-components';
import { useMessages } from '../messages/index.ts';
import { onChangeEvent, usePreference, useSession, useSessionEnded, useStanding } from '../store/index.ts';
import { classes, Skeleton } from '../ui/index.ts';
import { tellChange } from './change-notices.ts';
import { setLettersWork, startKeys, useCommands } from './commands.ts';
import { openCreation, useCreation } from './creation.ts';
import styles from './frame.module.css';
import { Lines } from './lines.tsx';
import { NoticeList } from './notice-list.tsx';
import { announce, undoLast } from './notices.ts';
import { closeOverlay, openKeys, openPalette, useOverlay } from './overlays.ts';
import { Problem, ProblemPage } from './problem.tsx';
import { Sidebar, useSidebarFold } from './sidebar.tsx';
import { SignInAgain } from './sign-in/again.tsx';
import { ChangeExpiredPassword } from './sign-in/change-password.tsx';
import { GettingIn } from './sign-in/getting-in.tsx';
import { SignInHere } from './sign-in/page.tsx';
import { Studio } from './sign-in/studio.tsx';

const Palette = lazy(async () => ({ default: (await import('./palette/index.ts')).Palette }));
const KeyList = lazy(async () => ({ default: (await import('./palette/index.ts')).KeyList }));

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** True for pages of people who are not in yet: they stand without the frame. */
    isBare?: boolean;
  }
}

/** What can be done on every page. */
function useCommandsOfAllPages(): void {
  const { shell } = useMessages();
  const navigate = useNavigate();
  const { user } = useStanding();
  const hasCreation = useCreation();
  const reasonNot = user === null ? shell.signInToCreate : undefined;
  useCommands([
    {
      id: 'palette',
      name: shell.palette.title,
      keys: 'mod+k',
      icon: 'search',
      isHidden: true,
      run: openPalette,
    },
    { id: 'keys', name: shell.keys, keys: '?', icon: 'keyboard', run: openKeys },
    {
      id: 'home',
      name: shell.goHome,
      keys: ['g h', 'g m'],
      icon: 'home',
      run: () => void navigate({ to: '/' }),
    },
    {
      id: 'projects',
      name: shell.goProjects,
      keys: 'g p',
      icon: 'folder',
      run: () => void navigate({ to: '/projects' }),
    },
    {
      id: 'search',
      name: shell.goSearch,
      keys: '/',
      icon: 'search',
      run: () => void navigate({ to: '/search' }),
    },
    ...(user === null
      ? []
      : [
          {
            id: 'account',
            name: shell.goAccount,
            icon: 'user',
            run: () => void navigate({ to: '/account/$page', params: { page: 'profile' } }),
          },
          {
            id: 'access-keys',
            name: shell.goKeys,
            icon: 'key',
            run: () => void navigate({ to: '/account/$page', params: { page: 'keys' } }),
          },
        ]),
    ...(hasCreation
      ? [
          {
            id: 'create',
            name: shell.create,
            keys: 'c',
            icon: 'plus',
            reasonNot,
            run: () => openCreation({}),
          },
        ]
      : []),
    { id: 'undo', name: shell.undoLast, keys: 'mod+z', icon: 'arrow-back-up', run: undoLast },
    {
      id: 'copy-address',
      name: shell.copyAddress,
      keys: 'y',
      icon: 'link',
      run: () =>
        void navigator.clipboard.writeText(window.location.href).then(() => announce(shell.addressCopied)),
    },
  ]);
}

/** What was refused, is gone or needs a choice is told wherever one is. */
function useChangeNotices(): void {
  useEffect(() => onChangeEvent(tellChange), []);
}

function useLetters(): void {
  const [letters] = usePreference('web.letters');
  useEffect(() => setLettersWork(letters !== 'off'), [letters]);
}

/** A new page is told to those who listen, and the next Tab begins in it. */
function useArrival(): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once a page.
  useEffect(() => {
    closeOverlay();
    const timer = setTimeout(() => announce(document.title), 300);
    return () => clearTimeout(timer);
  }, [pathname]);
}

function Overlays() {
  const { shell } = useMessages();
  const overlay = useOverlay();
  if (overlay === undefined) return null;
  if (overlay.overlay === 'drawer')
    return (
      <ModalOverlay className={styles['drawerScrim'] ?? ''} isOpen isDismissable onOpenChange={closeOverlay}>
        <Modal className={styles['drawer'] ?? ''}>
          <PlainDialog aria-label={shell.navigation} className={styles['drawerInside'] ?? ''}>
            <Sidebar isFolded={false} toggle={closeOverlay} />
          </PlainDialog>
        </Modal>
      </ModalOverlay>
    );
  return (
    <Suspense fallback={null}>
      {overlay.overlay === 'palette' ? <Palette words={overlay.words} /> : <KeyList />}
    </Suspense>
  );
}

function Framed() {
  const { shell } = useMessages();
  const [isFolded, toggle] = useSidebarFold();
  const hasEnded = useSessionEnded();
  useCommandsOfAllPages();
  useChangeNotices();
  useLetters();
  useArrival();
  return (
    <div className={styles['frame']}>
      <a className={styles['skip']} href="#main">
        {shell.skip}
      </a>
      <div className={classes(styles['side'], isFolded && styles['sideFolded'])}>
        <Sidebar isFolded={isFolded} toggle={toggle} />
      </div>
      <div className={styles['content']}>
        <Lines />
        <Suspense fallback={<Outline />}>
          <Outlet />
        </Suspense>
      </div>
      <Overlays />
      {hasEnded && <SignInAgain />}
    </div>
  );
}

/** The page at once, before what it shows is known. */
export function Outline() {
  return (
    <div className={styles['outline']}>
      <div className={styles['outlineBar']} />
      <Skeleton lines={8} />
    </div>
  );
}

function OutlineOfAll() {
  return (
    <div className={styles['frame']}>
      <div className={styles['side']}>
        <div className={styles['sideOutline']} />
      </div>
      <div className={styles['content']}>
        <Outline />
      </div>
    </div>
  );
}

/** An address that leads nowhere. */
export function NotFoundPage() {
  return <ProblemPage error={new NotFoundError({ status: 404, message: '', body: undefined })} />;
}

function Inside() {
  const { shell } = useMessages();
  const session = useSession();
  const { pathname } = useLocation();
  const isBare = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.isBare) });
  if (isBare) return <Outlet />;
  switch (session.kind) {
    case 'asking':
      return <OutlineOfAll />;
    case 'closed':
      return pathname === '/help/getting-in' ? <GettingIn /> : <SignInHere />;
    case 'refused':
    case 'failed':
      return (
        <Studio title={session.kind === 'failed' ? shell.problem.away : shell.problem.noAccess}>
          <Problem
            error={session.error}
            {...(session.kind === 'failed' ? { askAgain: session.askAgain } : {})}
          />
        </Studio>
      );
    case 'known':
      return session.standing.must_change_password ? <ChangeExpiredPassword /> : <Framed />;
  }
}

/** What is around every page. */
export function Frame() {
  useEffect(startKeys, []);
  return (
    <>
      <Inside />
      <NoticeList />
    </>
  );
}
