/*
 * Pages beside the API: pages.ts says which, web.ts serves the web application, explorer.ts the one of the API, waiting-page.ts and readiness.ts stand in until all is ready,
 * unsubscribe.ts takes people off mails, old-addresses.ts leads addresses of the reference to ours; page-headers.ts has what all of them answer with.
 */

export { registerPages } from './pages.ts';
export { answerUnknown } from './web.ts';
