import type { IncomingMessage, ServerResponse } from 'node:http';
import { downloadFolder, svnContentFolder } from '../../present/index.ts';
import type { Services } from '../services.ts';
import { answerSvn, answerSvnContent, svnFolder } from '../svn/index.ts';
import { answerDownload } from './downloads.ts';
import { answerExport, exportFolder } from './project-exports.ts';
import { answerUpload, archiveFolder, uploadFolder } from './tus.ts';

/*
 * Requests that carry the bytes of files go past the framework: their bodies are never held, and their rules are those
 * of other protocols than the API's.
 */

type Answer = (services: Services, request: IncomingMessage, response: ServerResponse) => Promise<void>;
type Folders = readonly (readonly [folder: string, answer: Answer])[];

/** Answers a request for an address below one of the folders; tells whether it was one. */
const taking =
  (folders: Folders) =>
  (services: Services, request: IncomingMessage, response: ServerResponse): boolean => {
    const answer = folders.find(([folder]) => request.url?.startsWith(`${folder}/`))?.[1];
    if (answer === undefined) return false;
    services.database.beginTurn();
    void answer(services, request, response);
    return true;
  };

export const takeUpload = taking([
  [uploadFolder, answerUpload],
  [archiveFolder, answerUpload],
  [svnFolder, answerSvn],
]);
export const takeDownload = taking([
  [downloadFolder, answerDownload],
  [exportFolder, answerExport],
  [svnContentFolder, answerSvnContent],
]);
