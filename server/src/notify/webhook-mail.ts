import { formatInstant, type Instant } from '../kernel/clock.ts';
import { type MailMessage, type MailOrder, oneLine } from './model.ts';
import type { WebhookRow } from './webhook-schedule.ts';

export const webhookMail = 'webhook-given-up';

/** What the owner of a webhook is told about deliveries that were given up. */
interface GivenUp {
  readonly webhook: number;
  readonly host: string;
  readonly deliveries: number;
  readonly fault: string;
  readonly since: Instant | null;
  readonly at: Instant;
  readonly isSwitchedOff: boolean;
}

/** The path of an address may be secret, so that only its host is told. */
export function webhookMailOrder(
  { id, url, owner_id, project_id }: WebhookRow,
  loss: Omit<GivenUp, 'webhook' | 'host'>,
): MailOrder {
  const payload: GivenUp = { webhook: id, host: new URL(url).host, ...loss };
  return {
    kind: webhookMail,
    payload: JSON.stringify(payload),
    accountId: owner_id,
    address: null,
    projectId: project_id,
  };
}

const switchedOff = (publicUrl: string, id: number) => [
  'Nothing more is sent to it. When the receiver is well again, switch the webhook on:',
  `PATCH ${publicUrl}/api/webhooks/${id} with {"is_enabled": true}.`,
];

export function writeWebhookMail({ payload }: MailOrder, publicUrl: string): MailMessage {
  const { webhook, host, deliveries, fault, since, at, isSwitchedOff }: GivenUp = JSON.parse(payload);
  const what = isSwitchedOff
    ? `The receiver of your webhook ${webhook} (${host}) took nothing for a day and was given up.`
    : `Your webhook ${webhook} (${host}) gave up a delivery.`;
  const text = [
    what,
    '',
    ...(since === null ? [] : [`Failing since: ${formatInstant(since)}`]),
    `Deliveries given up: ${deliveries}`,
    `Reason: ${oneLine(fault, 1000)}`,
    '',
    ...(isSwitchedOff ? switchedOff(publicUrl, webhook) : []),
    `The log has the deliveries, and can send them anew: ${publicUrl}/api/webhooks/${webhook}/deliveries`,
    '',
  ].join('\n');
  return { subject: oneLine(what), text, id: `webhook.${webhook}.${at}` };
}
