export { HelpIndexPage, HelpPage } from './page.tsx';
