import { NotFoundError } from '@atelier/client';
import { type ErrorComponentProps, Outlet, useMatches, useNavigate, useRouter } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { loadAllWords, useMessages } from '../messages/index.ts';
import {
  onChangeEvent,
  useLiveInbox,
  usePreference,
  useSession,
  useSessionEnded,
  useStanding,
} from '../store/index.ts';
import { classes, HeldKeys, later, Skeleton } from '../ui/index.ts';
import { BottomBar } from './bottom-bar.tsx';
import { setLettersWork, startKeys, useCommands } from './commands.ts';
import { openCreation } from './creation.ts';
import { useReasonNotToCreate } from './creation-reason.ts';
import styles from './frame.module.css';
import { ProblemOfAll, ProblemPage } from './later-problem.tsx';
import { Lines } from './lines.tsx';
import { NoticeList } from './notice-list.tsx';
import { announce, announcePage, undoLast, useRecentNotices } from './notices.ts';
import { closeOverlay, openKeys, openPalette, openRecent, useOverlay } from './overlays.ts';
import { usePathname } from './place.ts';
import { Sidebar, useSidebarFold } from './sidebar.tsx';
import { signing } from './signing.ts';
import { useTourStep } from './tour-state.ts';
import { letKeysWait, startWaitingKeys } from './waiting-keys.ts';

const drawer = later(() => import('./drawer.tsx'));
const palette = later(() => import('./palette/index.ts'));
const tour = later(async () => (await Promise.all([import('./tour.tsx'), loadAllWords()]))[0]);
const recent = later(() => import('./recent-actions.tsx'));
const changeNotices = later(() => import('./change-notices.ts'));

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
  const reasonNot = useReasonNotToCreate();
  const hasUndo = useRecentNotices().some(({ undo }) => undo !== undefined);
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
    {
      id: 'queries',
      name: shell.goQueries,
      keys: 'g q',
      icon: 'filter',
      run: () => void navigate({ to: '/query' }),
    },
    {
      id: 'create',
      name: shell.create,
      keys: 'c',
      icon: 'plus',
      reasonNot,
      run: () => openCreation({}),
    },
    ...(user === null
      ? []
      : [
          {
            id: 'create-elsewhere',
            name: shell.createElsewhere,
            keys: 'shift+c',
            icon: 'plus',
            run: () => openCreation({ isElsewhere: true }),
          },
          {
            id: 'inbox',
            name: shell.goInbox,
            keys: 'g i',
            icon: 'inbox',
            run: () => void navigate({ to: '/inbox' }),
          },
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
    {
      id: 'undo',
      name: shell.undoLast,
      keys: 'mod+z',
      icon: 'arrow-back-up',
      reasonNot: hasUndo ? undefined : shell.nothingToUndo,
      run: undoLast,
    },
    { id: 'recent', name: shell.recentActions, icon: 'history', run: openRecent },
    { id: 'help', name: shell.help, icon: 'help-circle', run: () => void navigate({ to: '/help' }) },
    {
      id: 'copy-address',
      name: shell.copyAddress,
      keys: 'y',
      icon: 'link',
      run: () =>
        void palette
          .load()
          .then(({ copyText }) => copyText(window.location.href))
          .then(() => announce(shell.addressCopied)),
    },
  ]);
}

/** What was refused, is gone or needs a choice is told wherever one is. */
function useChangeNotices(): void {
  const { history } = useRouter();
  useEffect(
    () =>
      onChangeEvent(
        (event) =>
          void changeNotices
            .load()
            .then(({ tellChange }) => tellChange(event, ({ uri }) => history.push(`/${uri}`))),
      ),
    [history],
  );
}

function useLetters(): void {
  const [letters] = usePreference('web.letters');
  useEffect(() => setLettersWork(letters !== 'off'), [letters]);
}

/** A new page is told to those who listen, and the next Tab begins in it. A part of its own: what is around the page is not drawn anew. */
function Arrival() {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once a page.
  useEffect(() => {
    closeOverlay();
    return announcePage();
  }, [pathname]);
  return null;
}

function DrawerOverlay() {
  const { Drawer } = drawer.use();
  return <Drawer />;
}

function PaletteOverlay() {
  const { Palette } = palette.use();
  return <Palette />;
}

function KeysOverlay() {
  const { KeyList } = palette.use();
  return <KeyList />;
}

function RecentOverlay() {
  const { RecentActions } = recent.use();
  return <RecentActions />;
}

function TourHint({ step }: { readonly step: number }) {
  const { Tour } = tour.use();
  return <Tour step={step} />;
}

function Overlays() {
  const overlay = useOverlay();
  if (overlay === undefined) return null;
  return (
    <Suspense fallback={overlay === 'palette' ? <HeldKeys /> : null}>
      {overlay === 'drawer' && <DrawerOverlay />}
      {overlay === 'palette' && <PaletteOverlay />}
      {overlay === 'keys' && <KeysOverlay />}
      {overlay === 'recent' && <RecentOverlay />}
    </Suspense>
  );
}

/** The session ended while somebody was at work. */
function AgainOverlay() {
  const { SignInAgain } = signing.use();
  return <SignInAgain />;
}

function Framed() {
  const { shell } = useMessages();
  const [isFolded, toggle] = useSidebarFold();
  const hasEnded = useSessionEnded();
  const step = useTourStep();
  useCommandsOfAllPages();
  useChangeNotices();
  useLetters();
  useLiveInbox();
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
        <BottomBar />
      </div>
      <Arrival />
      <Overlays />
      <Suspense>{step !== undefined && <TourHint step={step} />}</Suspense>
      <Suspense>{hasEnded && <AgainOverlay />}</Suspense>
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
        <div className={styles['sideOutline']} data-outline />
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

/** A page that broke while it was drawn; the way to all others is still there. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  // What a program says of itself is not the browser's word that the server is away.
  return (
    <ProblemPage error={new Error(error instanceof Error ? error.message : String(error))} askAgain={reset} />
  );
}

/** A platform that shows nothing to those who are not in. */
function Closed() {
  const pathname = usePathname();
  const { GettingIn, SignInHere } = signing.use();
  return pathname === '/help/getting-in' ? <GettingIn /> : <SignInHere />;
}

function Expired() {
  const { ChangeExpiredPassword } = signing.use();
  return <ChangeExpiredPassword />;
}

function Inside() {
  const session = useSession();
  const isBare = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.isBare) });
  if (isBare) return <Outlet />;
  switch (session.kind) {
    case 'asking':
      return <OutlineOfAll />;
    case 'closed':
      return <Closed />;
    case 'refused':
    case 'failed':
      return (
        <ProblemOfAll
          error={session.error}
          {...(session.kind === 'failed' ? { askAgain: session.askAgain } : {})}
        />
      );
    case 'known':
      return session.standing.must_change_password ? <Expired /> : <Framed />;
  }
}

/** What is around every page. */
export function Frame() {
  const router = useRouter();
  useEffect(startWaitingKeys, []);
  useEffect(startKeys, []);
  // Keys that are pressed after one that leads to another page are meant for that.
  useEffect(
    () => letKeysWait(() => router.latestLocation.pathname !== router.state.resolvedLocation?.pathname),
    [router],
  );
  return (
    <>
      <Suspense>
        <Inside />
      </Suspense>
      <NoticeList />
    </>
  );
}
