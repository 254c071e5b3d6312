/*
 * What the application knows of the server, and the only room that asks it by itself.
 *
 * client.ts         the one client: read it first; queries.ts asking, asking again and waiting; faults.ts what refusals say
 * things.ts         things by uri, each in versions; lists.ts lists of them, read page by page; projects.ts, people.ts, person.ts, favorites.ts (starring.ts changes them), unread.ts, inbox.ts, looks.ts
 * pending.ts        changes that are not stored yet: merged, sent, taken back; drafts.ts what is typed; submit.ts a form that is sent once
 * session.ts        who is in, and what they may; appearance.ts how it looks; signal.ts values that several look at
 * device.ts, kept-answers.ts, kept-drawings.ts, kept-things.ts   what this device keeps, to be drawn at once; upkeep.ts takes away what is too old
 * live.ts           what others do: live-stream.ts, one for all tabs (leader.ts), live-refresh.ts what is read again
 *
 * It draws nothing. What is not stored is never shown as if it were.
 */

export type { Standing } from '@atelier/client/routes';
export type {
  ChangeLog,
  FieldChange,
  FieldConflict,
  FieldEntry,
  PendingChange,
} from '../kernel/change-log.ts';
export { type Appearance, appearance, isDark, setAppearance } from './appearance.ts';
export { client } from './client.ts';
export { type DraftBegin, useDraft } from './drafts.ts';
export { againAfter, withoutPhrase, wordsOfError } from './faults.ts';
export { setFavorite, useFavorites, useVisit } from './favorites.ts';
export {
  changeInbox,
  type InboxChange,
  markInInbox,
  type Notification,
  noteNews,
  readInInbox,
  useNews,
} from './inbox.ts';
export { keepDrawing } from './kept-drawings.ts';
export { keptArtifacts } from './kept-things.ts';
export {
  type FreshList,
  type List,
  type ListSource,
  listAddress,
  markListOld,
  moveInList,
  readListAgain,
  useList,
} from './lists.ts';
export { type LiveTopic, useLive } from './live.ts';
export { atMostOnceASecond } from './live-refresh.ts';
export { useLastLook } from './looks.ts';
export {
  type ChangeEvent,
  changeArtifact,
  createArtifact,
  isChanging,
  onChangeEvent,
  pendingChanges,
  resolveConflict,
  sendWaiting,
  takeBack,
  useArtifact,
  useChangesOf,
  usePendingChanges,
  versionMadeBy,
} from './pending.ts';
export { useMembership, useProjectNamed } from './projects.ts';
export { keepStored, queries, whenAnswered } from './queries.ts';
export {
  emptyDevice,
  knownPreference,
  reloadWhenOutdated,
  setPreference,
  signIn,
  signOut,
  standingChanged,
  startStore,
  useAbout,
  usePreference,
  useSession,
  useSessionEnded,
  useStanding,
} from './session.ts';
export { createSignal } from './signal.ts';
export { useSubmit } from './submit.ts';
export {
  artifactFacet,
  type Facet,
  feed,
  knownThing,
  markOld,
  projectFacet,
  trackerFacet,
  useProject,
  userFacet,
  useThing,
  useTracker,
} from './things.ts';
export { inboxKey, useLiveInbox, useUnread } from './unread.ts';
