import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Viewer } from '../kernel/viewer.ts';
import { type Reader, statement, type Transaction } from '../storage/index.ts';

const name = 'unsubscribe';

const secretNamed = statement((sql, p: { name: string }) =>
  sql.selectFrom('secret').select('value').where('name', '=', p.name),
);

/** What links are signed with; made when the first one is needed, the same for every process. */
export async function ensureLinkSecret(tx: Transaction, _viewer: Viewer, _input: undefined): Promise<string> {
  const fresh = { name, value: randomBytes(32).toString('base64url') };
  const insert = tx.sql.insertInto('secret').values(fresh);
  await tx.run(insert.onConflict((conflict) => conflict.doNothing()));
  const stored = await tx.first(secretNamed, { name });
  return stored?.value ?? fresh.value;
}

/** Whose mails about which artifact a link ends. */
export interface Subscription {
  readonly who: string;
  readonly artifactId: number;
}

const signature = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest();

/** The last part of the link. Whoever has it can end mails and do nothing else. */
export function subscriptionToken({ who, artifactId }: Subscription, secret: string): string {
  const text = Buffer.from(JSON.stringify([who, artifactId])).toString('base64url');
  return `${text}.${signature(text, secret).toString('base64url')}`;
}

function contentOf(text: string): Subscription | undefined {
  const [who, artifactId]: unknown[] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  return typeof who === 'string' && typeof artifactId === 'number' ? { who, artifactId } : undefined;
}

/** What a link that this platform signed is about; undefined for any other. */
export async function readSubscription(reader: Reader, token: string): Promise<Subscription | undefined> {
  const [text = '', encoded = '', ...more] = token.split('.');
  const secret = (await reader.first(secretNamed, { name }))?.value;
  if (secret === undefined || more.length > 0) return undefined;
  const [right, sent] = [signature(text, secret), Buffer.from(encoded, 'base64url')];
  return right.length === sent.length && timingSafeEqual(right, sent) ? contentOf(text) : undefined;
}
