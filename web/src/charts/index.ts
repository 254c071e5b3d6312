export { ChartsView } from './page.tsx';
