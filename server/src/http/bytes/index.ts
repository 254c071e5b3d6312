/*
 * Bytes of files over HTTP: taken before the framework sees them, because their bodies must never be held.
 *
 * file-routes.ts      which paths go this way: read it first
 * tus.ts              uploads that can be cut and go on; downloads.ts attachments, with ranges (ranges.ts) and their headers (download-headers.ts)
 * project-exports.ts  archives, written while they are sent; avatar.ts pictures of people
 */

export { drawAvatar } from './avatar.ts';
export { takeDownload, takeUpload } from './file-routes.ts';
export { exportPath } from './project-exports.ts';
export { archiveFolder, uploadFolder } from './tus.ts';
