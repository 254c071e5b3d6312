import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerDownload } from './downloads.ts';
import { answerExport, exportFolder } from './exports.ts';
import { downloadFolder } from './present/files.ts';
import type { Services } from './services.ts';
import { answerUpload, archiveFolder, uploadFolder } from './tus.ts';

type Answer = (services: Services, request: IncomingMessage, response: ServerResponse) => Promise<void>;

const answers: readonly (readonly [folder: string, Answer])[] = [
  [downloadFolder, answerDownload],
  [uploadFolder, answerUpload],
  [archiveFolder, answerUpload],
  [exportFolder, answerExport],
];

/**
 * Answers a request that carries the bytes of a file, if it is one. Such requests go past the framework: their bodies
 * are never held, and their rules are those of other protocols than the API's.
 */
export function takeFileRequest(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const answer = answers.find(([folder]) => request.url?.startsWith(`${folder}/`))?.[1];
  if (answer === undefined) return false;
  services.database.beginTurn();
  void answer(services, request, response);
  return true;
}
