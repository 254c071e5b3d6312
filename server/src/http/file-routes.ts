import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerDownload } from './downloads.ts';
import { downloadFolder } from './present/files.ts';
import type { Services } from './services.ts';
import { answerUpload, uploadFolder } from './tus.ts';

/**
 * Answers a request that carries the bytes of a file, if it is one. Such requests go past the framework: their bodies
 * are never held, and their rules are those of other protocols than the API's.
 */
export function takeFileRequest(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { url = '' } = request;
  const isDownload = url.startsWith(`${downloadFolder}/`);
  if (!isDownload && !url.startsWith(`${uploadFolder}/`)) return false;
  services.database.beginTurn();
  if (isDownload) void answerDownload(services, request, response);
  else void answerUpload(services, request, response);
  return true;
}
