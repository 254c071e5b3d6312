export { provideWeb, type WebState } from './build.ts';
export { buildsFolder, digestOfSources, folderOf, isBuilt } from './sources.ts';
