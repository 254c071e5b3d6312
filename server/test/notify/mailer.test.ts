import { expect, test } from 'vitest';
import { Mailer } from '../../src/notify/index.ts';
import { MailServer, until } from '../fixtures/notify.ts';

test('a mail that takes the mail server too long is cut off, and the next one is sent', async () => {
  const post = await MailServer.start();
  const place = { url: post.url, from: undefined };
  const mailer = await Mailer.open(place, 'http://localhost', 2000);
  const send = (id: string) => mailer.send('bob@example.com', { subject: 'Hello', text: 'Hello\n', id });
  post.verdict = () => 'hang';
  const late = Array.from({ length: 10 }, (_, at) => send(`late-${at}`));
  const ends = await Promise.allSettled(late);
  expect(ends.map((end) => end.status === 'rejected' && end.reason)).toEqual(
    late.map(() => expect.objectContaining({ trouble: 'late', mayRetry: true })),
  );
  // None of them is on its way any more, nor waits for a connection.
  await until(() => post.connectionCount === 0);
  post.verdict = () => 'take';
  await send('next');
  expect(post.to('bob').map(({ headers }) => headers.get('message-id'))).toEqual(['<next@localhost>']);
  mailer.close();
  await post.stop();
});
