import { expect, test } from 'vitest';
import { SvnVerdict } from '../../src/http/svn-verdict.ts';
import { Metrics } from '../../src/kernel/metrics.ts';
import { NamedRows, slotsOf, sumsByName } from '../../src/kernel/named-rows.ts';
import { hookScript, undecided } from '../../src/svn/workspace/hook-scripts.ts';

const shape = { rows: 3, width: 2 };
const memory = () => new Float64Array(new SharedArrayBuffer(slotsOf(shape) * Float64Array.BYTES_PER_ELEMENT));

test('names that are too many share the last row, and nothing is lost', () => {
  const table = new NamedRows(memory(), shape);
  for (const name of ['a', 'b', 'c', 'd', 'a', 'é'.repeat(200)]) table.add(table.startOf(name), 1);
  expect(sumsByName([table], shape)).toEqual([
    ['a', [2, 0]],
    ['b', [1, 0]],
    ['other', [3, 0]],
  ]);
});

test('a thread that takes the place of a dead one goes on where that one stopped', () => {
  const place = memory();
  const [first, another] = [new NamedRows(place, shape), new NamedRows(memory(), shape)];
  first.add(first.startOf('kept') + 1, 2);
  another.add(another.startOf('kept') + 1, 5);
  const next = new NamedRows(place, shape);
  next.add(next.startOf('kept') + 1, 1);
  expect(sumsByName([next, another], shape)).toEqual([['kept', [0, 8]]]);
});

test('what ran and waited in a dead thread is forgotten, what it counted is not', () => {
  const all = Metrics.createMemory(2);
  const dead = new Metrics(all, 0);
  dead.began();
  dead.ended('GET /a/{id}', 200, 0.002);
  dead.began();
  dead.set({ writerQueue: 3 });
  new Metrics(all, 0).count('mails_sent');
  const text = new Metrics(all, 1).render();
  expect(text).toContain('atelier_http_requests_running 0\n');
  expect(text).toContain('atelier_writer_queue_length 0\n');
  expect(text).toContain('atelier_mails_sent_total 1\n');
  expect(text).toContain('atelier_http_requests_total{method="GET",route="/a/{id}",status="2xx"} 1\n');
  expect(text).toContain('_bucket{method="GET",route="/a/{id}",le="0.001"} 0\n');
  expect(text).toContain('_bucket{method="GET",route="/a/{id}",le="0.0025"} 1\n');
});

/** As mod_dav_svn says it. */
const said = (words: string) =>
  Buffer.from(`<m:human-readable errcode="165001">\n${words}\n</m:human-readable>`);

test.each([
  ['a rule said no', 500, 'Commit message must not be empty', 403],
  ['the platform could not decide', 500, undecided, 500],
  ['the platform could not be asked', 500, /echo "([^"]+)"/.exec(hookScript('pre-commit'))?.[1] ?? '', 500],
  ['it is something else', 409, 'Commit message must not be empty', 409],
])('what Apache answers counts as what it means where %s', (_, statusCode, words, meaning) => {
  const verdict = new SvnVerdict({ statusCode });
  const bytes = said(words);
  verdict.heard(bytes.subarray(0, 20));
  verdict.heard(bytes.subarray(20));
  expect(verdict.meaning()).toBe(meaning);
});
