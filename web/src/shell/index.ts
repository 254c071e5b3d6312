/*
 * What stands around every page.
 *
 * frame.tsx         sidebar.tsx, drawer.tsx, bar.tsx (sign-out-dialog.tsx), bottom-bar.tsx, lines.tsx around a page: read it first; page.tsx and part.tsx are what pages stand in, waiting-place.tsx until they are there
 * commands.ts       all that can be done here, by its keys or the palette (palette/); waiting-keys.ts keys for what is on its way;
 *                   overlays.ts what lies over the page
 * notices.ts        what is told (notice-list.tsx, recent-actions.tsx); change-notices.ts what becomes of changes (change-openers.ts where they are changed again); problem.tsx (later-problem.tsx) what went wrong
 * creation.ts, creation-reason.ts   whoever wants to create says so here; followed-list.ts the list that somebody goes along; place.ts where one is
 * leave-guard.tsx   asks before what is not stored is left; name-dialog.tsx asks for the name of what is kept
 * sign-in/, signing.ts, studio.tsx, countdown.ts   those who are not in yet; tour.tsx, tour-state.ts the tour; people.ts faces, deed.tsx what they did
 *
 * Rooms above provide what the shell needs of them (`provide…`): it imports none of them.
 */

export type { Crumb } from './bar.tsx';
export { type TrackerEntry, trackersKey, trackersOf, useKnownTrackers, useProjectTrackers } from './calls.ts';
export { provideConflict, provideEditAgain } from './change-openers.ts';
export { type Command, useCommands } from './commands.ts';
export { type CreationWish, openCreation, provideCreation, useIsCreationAsked } from './creation.ts';
export { Deed } from './deed.tsx';
export { followList, useFollowedPlace } from './followed-list.ts';
export { BrokenPage, Frame, NotFoundPage, Outline } from './frame.tsx';
export { Problem, ProblemPage } from './later-problem.tsx';
export { LeaveGuard, useStaying } from './leave-guard.tsx';
export { NameDialog } from './name-dialog.tsx';
export { announce, liftNotices, notify, setAside, tellFault, withdraw } from './notices.ts';
export { Page, type PageProps } from './page.tsx';
export { Part } from './part.tsx';
export { personOf } from './people.ts';
export { type PlaceNavigation, usePlace } from './place.ts';
export { loadSigning } from './signing.ts';
export { goToTourStep, useDemo } from './tour-state.ts';
export { KeysWait, letKeysWait } from './waiting-keys.ts';
export { WaitingPlace } from './waiting-place.tsx';
