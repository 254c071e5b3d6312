/*
 * Repositories: `/projects/{shortname}/svn/…`.
 *
 * page.tsx          which page an address names (addresses.ts): read it first; place.tsx what they stand in, list-page.tsx, tools.tsx
 * browse.tsx, file.tsx, code-view.tsx, blame.tsx, find-file.tsx   what is in them
 * log.tsx, revision.tsx, compare.tsx, diff-view.tsx, diff-rows.ts   what was changed; settings/ how one is set up
 */

export { RepositoriesPage } from './list-page.tsx';
export { NamedRepositoryPage, RepositoryPage } from './page.tsx';
