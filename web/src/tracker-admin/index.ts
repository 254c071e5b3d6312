export { TrackerAdminPage } from './page.tsx';
