export { BoardView } from './view.tsx';
