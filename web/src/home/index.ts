export { Activity } from './activity.tsx';
export { favoritesKey, type HeartbeatEntry, setFavorites, useFavorites } from './calls.ts';
export { HomePage } from './page.tsx';
export { ProjectList } from './project-list.tsx';
