/*
 * The Apache that serves repositories, and the hooks that it runs.
 *
 * dav-server.ts   keeps an Apache running on a loopback port; apache.ts its process, apache-config.ts its configuration
 * hook-server.ts  where hooks call back; hooks.ts what they are answered: may this commit be
 * recording.ts    what came of it: commits are written down, also those that nobody could when they were made
 * spellings.ts    under which spellings of a project's name its repositories are found
 *
 * Nobody reaches the Apache but through the platform, and no commit passes by the rules of its repository.
 */

export { placesOf, secretHeader } from './apache-config.ts';
export { answerDavLine, type DavDoor, DavLine, type DavSecrets, DavServer } from './dav-server.ts';
export { HookServer } from './hook-server.ts';
export { CommitJudge } from './hooks.ts';
export { readInfo, recordMissingCommits, svnInstant } from './recording.ts';
