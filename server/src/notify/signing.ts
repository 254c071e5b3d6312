import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

export const newWebhookSecret = () => `${prefix}${randomBytes(32).toString('base64')}`;

/** The headers that prove where a delivery comes from and when, as Standard Webhooks names them. */
export function signedHeaders(
  { id, body, secret }: { id: string; body: string; secret: string },
  now = Date.now(),
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'Webhook-Id': id,
    'Webhook-Timestamp': timestamp,
    'Webhook-Signature': `v1,${signature}`,
  };
}
