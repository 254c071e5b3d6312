export { PlatformAdminPage } from './page.tsx';
