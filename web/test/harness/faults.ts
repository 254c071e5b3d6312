import type { ConsoleMessage, Page } from 'playwright-core';

/** The application shows refusals of the API to people; that the browser notes them too is no fault. */
const isRefusal = (message: ConsoleMessage) =>
  /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text());

/** What a browser notes while the service goes away, which refuses what comes while it stops, and is away. */
export const isAway = [
  /ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to fetch|status of 503/,
];

const isElsewhere = (address: string, site: string) =>
  !address.startsWith(`${site}/`) && !/^(data|blob):/.test(address);

/**
 * Collects what no page may do: errors on the console (violations of the policy among them), unhandled faults and rejections, and requests
 * to other hosts.
 */
export function faultsOf(page: Page, site: string, expected: readonly RegExp[]): string[] {
  const faults: string[] = [];
  const note = (fault: string) => {
    if (!expected.some((pattern) => pattern.test(fault))) faults.push(fault);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message))
      note(`console: ${message.text()} (${message.location().url})`);
  });
  // What the browser itself rejects has an empty stack.
  page.on('pageerror', ({ name, message, stack }) => note(`unhandled: ${stack || `${name}: ${message}`}`));
  page.on('request', (request) => {
    if (isElsewhere(request.url(), site)) note(`asked elsewhere: ${request.url()}`);
  });
  return faults;
}
