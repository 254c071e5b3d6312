export { PermissionsPage } from './page.tsx';
