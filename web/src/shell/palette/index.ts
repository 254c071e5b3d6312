export { KeyList } from './key-list.tsx';
export { Palette } from './palette.tsx';
