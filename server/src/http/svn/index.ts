/*
 * The way of Subversion clients: proxy.ts lets a request through to Apache once credentials and access are settled, dav-body.ts reads and bounds what Apache is to read whole, content.ts gives
 * files and differences to pages, program-output.ts what programs of Subversion say.
 */

export { answerSvnContent } from './content.ts';
export { answerSvn, svnFolder } from './proxy.ts';
