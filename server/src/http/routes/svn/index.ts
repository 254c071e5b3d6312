/*
 * Routes of Subversion repositories: repositories.ts makes and changes them, browse.ts shows what is in them.
 */

export { svnBrowsingBindings } from './browse.ts';
export { svnBindings } from './repositories.ts';
