import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerDownload } from './downloads.ts';
import { downloadFolder } from './present/files.ts';
import type { Services } from './services.ts';
import { answerUpload, uploadFolder } from './tus.ts';

/*
 * Requests that carry the bytes of files go past the framework: their bodies are never held, and their rules are those
 * of other protocols than the API's.
 */

type Answer = typeof answerDownload;

/** Answers a request for an address below the folder; tells whether it was one. */
const taking =
  (folder: string, answer: Answer) =>
  (services: Services, request: IncomingMessage, response: ServerResponse): boolean => {
    if (!request.url?.startsWith(`${folder}/`)) return false;
    services.database.beginTurn();
    void answer(services, request, response);
    return true;
  };

export const takeUpload = taking(uploadFolder, answerUpload);
export const takeDownload = taking(downloadFolder, answerDownload);
