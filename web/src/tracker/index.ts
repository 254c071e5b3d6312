export { TrackerPage } from './page.tsx';
