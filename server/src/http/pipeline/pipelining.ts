import type { IncomingMessage, ServerResponse } from 'node:http';

type Receive = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers requests on one connection one after the other: whoever sends many at once gets the next answer made when the
 * one before was taken. Otherwise a single connection, whose owner need not even read, could have a thousand answers in
 * memory at a time.
 */
export const oneByOne =
  (receive: Receive): Receive =>
  (request, response) => {
    // Node gives a response the connection when those before it are done.
    if (response.socket !== null) receive(request, response);
    else response.once('socket', () => receive(request, response));
  };
