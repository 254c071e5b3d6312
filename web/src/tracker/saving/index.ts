export { SaveMenu, type SaveMenuProps } from './menu.tsx';
