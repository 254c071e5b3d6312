import type { FastifyReply } from 'fastify';
import { securityHeaders } from '../headers.ts';

/** Answers that are not part of the API share nothing with it but these. */
export function withSecurity(reply: FastifyReply): FastifyReply {
  for (let index = 0; index < securityHeaders.length; index += 2) {
    reply.header(securityHeaders[index] ?? '', securityHeaders[index + 1]);
  }
  return reply;
}
