export { SearchPage } from './page.tsx';
