import type { SendMailOptions } from 'nodemailer';
import { second } from '../kernel/clock.ts';
import type { MailPlace } from '../kernel/config.ts';
import type { MailMessage } from './model.ts';
import { lease } from './retries.ts';

/** How a mail was refused. */
export class MailRefused extends Error {
  /** Whether another try can end otherwise. */
  readonly mayRetry: boolean;
  /** `server`: nobody takes mails from us, whatever mails; `late`: no answer came in time, perhaps because of this mail. */
  readonly trouble: 'mail' | 'server' | 'late';

  constructor(message: string, mayRetry: boolean, trouble: MailRefused['trouble'] = 'mail') {
    super(message);
    this.mayRetry = mayRetry;
    this.trouble = trouble;
  }
}

/** How long a whole mail may take: less than the time for which one that was taken is left alone. */
const longest = lease - 15 * second;

/** What the library tells about a fault. */
interface Fault {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
  readonly timeoutType?: unknown;
}

/** Faults in beginning to talk: a greeting, a login or a change to TLS that is refused. */
const sessionFaults: readonly unknown[] = ['EPROTOCOL', 'EAUTH', 'ETLS'];

/** All mails come from the same sender: whoever refuses it refuses them all, unless this one is too large for them. */
const refusesSender = ({ command, responseCode }: Fault) =>
  command === 'MAIL FROM' && Number(responseCode) >= 500 && responseCode !== 552;

function troubleOf(fault: Fault): MailRefused['trouble'] {
  const { code, command, responseCode, timeoutType } = fault;
  if (timeoutType === 'SOCKET_TIMEOUT') return 'late';
  const isSilent = command === 'CONN' && responseCode === undefined;
  const isOfAll = isSilent || sessionFaults.includes(code) || refusesSender(fault) || responseCode === 421;
  return isOfAll ? 'server' : 'mail';
}

/** Answers of 500 and above are for good; everything else may pass. */
function refusalOf(error: unknown): MailRefused {
  if (error instanceof MailRefused) return error;
  if (!(error instanceof Error)) return new MailRefused(String(error), true);
  const fault: Error & Fault = error;
  const trouble = troubleOf(fault);
  return new MailRefused(error.message, trouble !== 'mail' || Number(fault.responseCode ?? 0) < 500, trouble);
}

/** As much of the library as is used. */
interface Transport {
  sendMail(options: SendMailOptions): Promise<{ readonly response?: unknown }>;
  close(options?: { force: boolean }): void;
}

/** Hands mails to the mail server of the platform. */
export class Mailer {
  readonly #connect: () => Transport;
  /** Connections that no mail is on. Each mail has one for itself, so that it can be cut off alone. */
  readonly #free: Transport[] = [];
  readonly #from: string;
  readonly #host: string;
  readonly #patience: number;
  #isClosed = false;

  private constructor(
    connect: () => Transport,
    from: string | undefined,
    publicUrl: string,
    patience: number,
  ) {
    this.#connect = connect;
    this.#patience = patience;
    this.#host = new URL(publicUrl).hostname;
    this.#from = from ?? `Atelier <noreply@${this.#host}>`;
  }

  /** The library is loaded only where mails are sent: every thread knows of this file. */
  static async open({ url, from }: MailPlace, publicUrl: string, patience = longest): Promise<Mailer> {
    const { createTransport } = await import('nodemailer');
    const connect = () =>
      createTransport({
        url,
        pool: true,
        maxConnections: 1,
        // Whether a mail that was cut off is sent again is decided here, and remembered.
        maxRequeues: 0,
        connectionTimeout: 10 * second,
        greetingTimeout: 10 * second,
        socketTimeout: 30 * second,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    return new Mailer(connect, from, publicUrl, patience);
  }

  #idOf = (name: string) => `<${name}@${this.#host}>`;

  #optionsFor(address: string, { subject, text, id, thread, unsubscribeUrl }: MailMessage): SendMailOptions {
    const parent =
      thread === undefined ? {} : { inReplyTo: this.#idOf(thread), references: this.#idOf(thread) };
    const unsubscription: Record<string, string> =
      unsubscribeUrl === undefined
        ? {}
        : {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          };
    return {
      from: this.#from,
      to: { name: '', address },
      subject,
      text,
      messageId: this.#idOf(id),
      ...parent,
      headers: { 'Auto-Submitted': 'auto-generated', ...unsubscription },
    };
  }

  /** Done when the mail server has taken the mail, with its words; throws `MailRefused` else. */
  async send(address: string, message: MailMessage): Promise<string> {
    const connection = this.#free.pop() ?? this.#connect();
    const late = new MailRefused('The mail server took too long.', true, 'late');
    const { promise: over, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(late), this.#patience);
    try {
      const sent = await Promise.race([connection.sendMail(this.#optionsFor(address, message)), over]);
      this.#release(connection);
      return String(sent.response ?? '');
    } catch (error) {
      // A mail that will be sent again must not go on meanwhile, or its recipient gets it twice.
      if (error === late) connection.close({ force: true });
      else this.#release(connection);
      throw refusalOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #release(connection: Transport): void {
    if (this.#isClosed) connection.close();
    else this.#free.push(connection);
  }

  /** Lets mails that are on their way come to their end. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#free.splice(0)) connection.close();
  }
}
