export { PersonPage } from './page.tsx';
