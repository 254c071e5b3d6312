/*
 * The web application as files: sources.ts tells which build belongs to the sources as they are, build.ts has it made by a process of its own. The service starts
 * without waiting for it.
 */

export { provideWeb, type WebState } from './build.ts';
export { buildsFolder, digestOfSources, folderOf, isBuilt } from './sources.ts';
