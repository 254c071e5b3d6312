import type { FastifyInstance, FastifyReply } from 'fastify';
import { anonymousViewer } from '../../kernel/viewer.ts';
import { type MutedKind, readSubscription } from '../../notify/index.ts';
import { callerAt } from '../limits/index.ts';
import { addressOf, errorPage, IncomingBody, toFailure } from '../pipeline/index.ts';
import type { Services } from '../services.ts';
import { withSecurity } from './page-headers.ts';

const nobody = anonymousViewer('regular');

/** Nothing on the page but forms that lead back here. */
const policy = "default-src 'none'; form-action 'self'; frame-ancestors 'none'";

function page(words: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mails</title></head>',
    `<body><h1>Mails</h1>${words.join('\n')}</body>`,
    '</html>',
    '',
  ].join('\n');
}

const choices: Readonly<Record<MutedKind, (artifactId: number) => string>> = {
  artifact: (id) => `No more mails about artifact #${id}`,
  tracker: (id) => `No more mails about the tracker of artifact #${id}`,
  platform: () => 'No more mails about any artifact',
};

const isKind = (text: string): text is MutedKind => Object.hasOwn(choices, text);

const form = (kind: MutedKind, artifactId: number) =>
  `<form method="post"><input type="hidden" name="scope" value="${kind}">` +
  `<p><button>${choices[kind](artifactId)}</button></p></form>`;

const kinds = Object.keys(choices).filter(isKind);

function send(reply: FastifyReply, status: number, content: string): FastifyReply {
  withSecurity(reply).header('Content-Security-Policy', policy).header('Cache-Control', 'no-store');
  return reply.code(status).type('text/html; charset=utf-8').send(content);
}

const unknown = (reply: FastifyReply) =>
  send(
    reply,
    404,
    errorPage(404, 'This link is not valid. It may have been cut; use the whole of it.').content,
  );

/** Mail programs post `List-Unsubscribe=One-Click`, which means the artifact; the forms of the page name a scope. */
function kindIn(body: Buffer): MutedKind {
  const text = body.toString('utf8');
  const scope = new URLSearchParams(text).get('scope') ?? 'artifact';
  return isKind(scope) ? scope : 'artifact';
}

/** The link at the end of mails: it asks, and only a POST changes anything, since mail programs follow links by themselves. */
export function registerUnsubscription(app: FastifyInstance, services: Services): void {
  const { database, operations } = services;
  const path = '/unsubscribe/:token';
  app.get<{ Params: { token: string } }>(path, async ({ params }, reply) => {
    const subscription = await readSubscription(database, params.token);
    if (subscription === undefined) return unknown(reply);
    return send(reply, 200, page(kinds.map((kind) => form(kind, subscription.artifactId))));
  });
  app.post<{ Params: { token: string } }>(path, async ({ params, raw }, reply) => {
    const subscription = await readSubscription(database, params.token);
    if (subscription === undefined) return unknown(reply);
    const caller = callerAt(addressOf(raw, services.config.trustProxy));
    const body = new IncomingBody(raw, services.bodies, caller);
    try {
      const kind = kindIn(await body.readSmall());
      await operations.unsubscribe(nobody, { ...subscription, kind });
      return send(reply, 200, page([`<p>${choices[kind](subscription.artifactId)}: done.</p>`]));
    } catch (error) {
      const { status, body: failure } = toFailure(error);
      return send(reply, status, errorPage(status, failure.error.message).content);
    } finally {
      body.release();
    }
  });
}
