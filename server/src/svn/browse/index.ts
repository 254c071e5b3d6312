/*
 * What is in a repository, for pages and the API: browse.ts lists folders, shows files, logs and differences; commit-facts.ts tells what a commit did; client-xml.ts
 * reads what the Subversion client answers. blame.ts tells the last commit of each line, path-lists.ts all paths of a folder; kept.ts remembers answers for a while.
 *
 * Nothing is shown of paths that the viewer's access does not cover.
 */

export {
  browsedPath,
  type LastChange,
  type LogEntry,
  openRepository,
  type RepositoryView,
} from './browse.ts';
export { type CommitFacts, CommitRegister, type SeenCommit } from './commit-facts.ts';
