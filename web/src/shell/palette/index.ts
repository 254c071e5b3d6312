export { copyText } from '../../ui/index.ts';
export { KeyList } from './key-list.tsx';
export { Palette } from './palette.tsx';
