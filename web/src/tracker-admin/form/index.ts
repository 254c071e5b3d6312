export { FormPage } from './page.tsx';
