/*
 * Projects: their list, their pages, and new ones.
 *
 * page.tsx          all that one may see: read it first; project-place.tsx what every page of a project stands in
 * overview-page.tsx, header-picture.tsx, demo-acts.tsx, members-page.tsx, invitation.tsx, trackers-page.tsx, tracker-list.tsx, tree.ts   the pages of one
 * new-page.tsx, archive-upload.tsx, new-tracker.tsx, tracker-creation.tsx   new projects and trackers
 */

export { type HeaderBackground, HeaderPicture, headerPictures } from './header-picture.tsx';
export { MembersPage } from './members-page.tsx';
export { NewProjectPage } from './new-page.tsx';
export { ProjectPage } from './overview-page.tsx';
export { ProjectsPage } from './page.tsx';
export { ProjectTrackersPage } from './trackers-page.tsx';
