export { type HeaderBackground, HeaderPicture, headerPictures } from './header-picture.tsx';
export { MembersPage } from './members-page.tsx';
export { NewProjectPage } from './new-page.tsx';
export { ProjectPage } from './overview-page.tsx';
export { ProjectsPage } from './page.tsx';
export { ProjectTrackersPage } from './trackers-page.tsx';
