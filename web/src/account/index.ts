export { AccountPage } from './page.tsx';
