/*
 * The way of Subversion clients: proxy.ts lets a request through to Apache once credentials and access are settled, merge.ts reads what a commit answers, content.ts gives
 * files and differences to pages.
 */

export { answerSvnContent } from './content.ts';
export { answerSvn, svnFolder } from './proxy.ts';
