export { WatchingMenu } from './menu.tsx';
