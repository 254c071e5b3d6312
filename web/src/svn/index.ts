export { RepositoriesPage } from './list-page.tsx';
export { NamedRepositoryPage, RepositoryPage } from './page.tsx';
