export { FirstStepsPage } from './page.tsx';
