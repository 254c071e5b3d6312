export { type Command, useCommands } from './commands.ts';
export { Frame } from './frame.tsx';
export { announce, closeNotice, type NoticeWish, notify } from './notices.ts';
export { type Crumb, Page, type PageProps } from './page.tsx';
export { type Place, type PlaceNavigation, usePlace } from './place.ts';
