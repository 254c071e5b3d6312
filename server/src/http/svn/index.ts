/*
 * The way of Subversion clients: proxy.ts lets a request through to Apache once credentials and access are settled, merge.ts reads what a commit answers, content.ts gives
 * files and differences to pages, program-output.ts what programs of Subversion say.
 */

export { answerSvnContent } from './content.ts';
export { answerSvn, svnFolder } from './proxy.ts';
