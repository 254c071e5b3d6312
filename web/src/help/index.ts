export { ControlsPage } from './controls.tsx';
export { HelpIndexPage, HelpPage } from './page.tsx';
