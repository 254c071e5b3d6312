export { InboxPage } from './page.tsx';
