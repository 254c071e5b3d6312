import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ChangeLog,
  changesOf,
  type FieldChange,
  nextToSend,
  type PendingChange,
  put,
  resolved,
  secondsToWait,
  sending,
  stored,
  waitingAgain,
  withChanges,
} from '../../src/kernel/change-log.ts';
import { rebased } from '../../src/kernel/rebase.ts';

const field = (fieldId: number, before: string, wish: string): FieldChange => ({
  fieldId,
  name: `field_${fieldId}`,
  label: `Field ${fieldId}`,
  entry: { field_id: fieldId, value: wish },
  before: { field_id: fieldId, value: before },
  value: { value: wish },
  cell: { value: wish },
});

const change = (id: string, uri: string, fields: readonly FieldChange[], etag?: string): PendingChange => ({
  id,
  key: `key of ${id}`,
  uri,
  fields,
  etag,
  state: 'waiting',
  attempts: 0,
  merges: 0,
  madeAt: 0,
});

const version = (etag: string, values: Readonly<Record<number, unknown>>) => ({
  etag,
  valueOf: (fieldId: number) => values[fieldId],
});

/** A value of files as an answer gives it: by their ids, with what they are described by. */
const files = (descriptions: Readonly<Record<number, string>>) => ({
  field_id: 1,
  file_descriptions: Object.entries(descriptions).map(([id, description]) => ({
    ...{ id: Number(id), name: `${id}.png`, type: 'image/png', description },
  })),
});

/** A log of changes of a few artifacts, in any order. */
const logs = fc
  .array(fc.integer({ min: 1, max: 4 }), { maxLength: 12 })
  .map(
    (uris): ChangeLog =>
      uris.map((uri, index) => change(String(index), `artifacts/${uri}`, [field(1, 'a', 'b')])),
  );

describe('the log of changes that are not stored yet', () => {
  test('one change of an artifact is under way at a time, four in all, in the order they were made', () => {
    fc.assert(
      fc.property(logs, (first) => {
        let log = first;
        const sent: string[] = [];
        while (log.length > 0) {
          for (const next of nextToSend(log, 4)) {
            log = sending(log, next.id);
            sent.push(next.id);
          }
          const underWay = log.filter(({ state }) => state === 'sending');
          expect(underWay.length).toBeLessThanOrEqual(4);
          expect(new Set(underWay.map(({ uri }) => uri)).size).toBe(underWay.length);
          const [done] = underWay;
          log = stored(log, done?.id ?? '', 'next');
        }
        expect(sent.toSorted((a, b) => Number(a) - Number(b))).toEqual(first.map(({ id }) => id));
        for (const uri of new Set(first.map((one) => one.uri))) {
          const own = changesOf(first, uri).map(({ id }) => id);
          expect(sent.filter((id) => own.includes(id))).toEqual(own);
        }
      }),
    );
  });

  test('what is stored makes the version that the next change of the artifact stands on', () => {
    const log = [
      change('1', 'artifacts/1', [field(1, 'a', 'b')], 'v1'),
      change('2', 'artifacts/2', [field(1, 'a', 'b')], 'w1'),
      change('3', 'artifacts/1', [field(1, 'b', 'c')]),
    ];
    expect(stored(log, '1', 'v2').map(({ id, etag }) => [id, etag])).toEqual([
      ['2', 'w1'],
      ['3', 'v2'],
    ]);
  });

  test('what is sent in vain is sent again later and later, then every minute', () => {
    let log: ChangeLog = [change('1', 'artifacts/1', [])];
    log = waitingAgain(sending(log, '1'), '1');
    expect(log[0]).toMatchObject({ state: 'waiting', attempts: 1 });
    expect([1, 2, 3, 4, 5, 6].map(secondsToWait)).toEqual([2, 5, 15, 30, 60, 60]);
  });
});

describe('somebody else was quicker', () => {
  test('fields that only I changed are sent on top of the new version', () => {
    const mine = change('1', 'artifacts/1', [field(1, 'a', 'b')], 'v1');
    const next = rebased(mine, version('v2', { 1: { value: 'a' }, 2: { value: 'theirs' } }), 'another');
    expect(next).toMatchObject({ state: 'waiting', etag: 'v2', key: 'another', merges: 1 });
    expect(next?.fields.map(({ entry }) => entry)).toEqual([{ field_id: 1, value: 'b' }]);
  });

  test('a field that both changed waits for a choice, and keeps both versions', () => {
    const mine = change('1', 'artifacts/1', [field(1, 'a', 'b'), field(2, 'x', 'y')], 'v1');
    const next = rebased(mine, version('v2', { 1: { value: 'c' }, 2: { value: 'x' } }), 'another');
    expect(next).toMatchObject({ state: 'conflict' });
    expect(next?.conflicts).toEqual([
      {
        fieldId: 1,
        label: 'Field 1',
        before: { field_id: 1, value: 'a' },
        mine: { field_id: 1, value: 'b' },
        theirs: { value: 'c' },
      },
    ]);
  });

  test('what both want is settled, and nothing is sent', () => {
    const mine = change('1', 'artifacts/1', [field(1, 'a', 'b')], 'v1');
    expect(rebased(mine, version('v2', { 1: { value: 'b' } }), 'another')).toBeUndefined();
  });

  test('paragraphs of a text that each side changed are merged', () => {
    const text = (content: string) => ({ content, format: 'commonmark' });
    const mine = change(
      '1',
      'artifacts/1',
      [
        {
          ...field(1, '', ''),
          before: { commonmark: 'one\n\ntwo', value: '<p>one</p>', format: 'html' },
          entry: { field_id: 1, value: text('ONE\n\ntwo') },
        },
      ],
      'v1',
    );
    const next = rebased(
      mine,
      version('v2', { 1: { commonmark: 'one\n\nTWO', value: '', format: 'html' } }),
      'k',
    );
    expect(next?.state).toBe('waiting');
    expect(next?.fields[0]?.entry).toEqual({ field_id: 1, value: text('ONE\n\nTWO') });
  });

  test('values of a list are compared as a set, and no value is no value however it is written', () => {
    const list = (ids: readonly number[]) => ({ field_id: 1, bind_value_ids: ids });
    const mine = change(
      '1',
      'artifacts/1',
      [{ ...field(1, '', ''), before: list([]), entry: list([3]) }],
      'v1',
    );
    expect(rebased(mine, version('v2', { 1: list([100]) }), 'k')).toMatchObject({ state: 'waiting' });
    expect(rebased(mine, version('v2', { 1: list([4]) }), 'k')).toMatchObject({ state: 'conflict' });
  });

  test('links that both sides add or take away are merged; one that both give another type is asked about', () => {
    const links = (...all: readonly (readonly [number, string])[]) => ({
      field_id: 1,
      links: all.map(([id, type]) => ({ id, type })),
    });
    const mine = (before: unknown, entry: ReturnType<typeof links>) =>
      change('1', 'artifacts/1', [{ ...field(1, '', ''), before, entry }], 'v1');
    const sent = (before: unknown, entry: ReturnType<typeof links>, theirs: unknown) =>
      rebased(mine(before, entry), version('v2', { 1: theirs }), 'k')?.fields[0]?.entry;
    const old = links([5, ''], [6, '']);
    expect(sent(old, links([5, ''], [6, ''], [7, '_is_child']), links([6, ''], [8, '']))).toEqual(
      links([6, ''], [8, ''], [7, '_is_child']),
    );
    expect(sent(old, links([5, '']), links([5, ''], [6, ''], [8, '']))).toEqual(links([5, ''], [8, '']));
    const asks = rebased(
      mine(old, links([5, 'fixed_in'], [6, ''])),
      version('v2', { 1: links([5, 'x']) }),
      'k',
    );
    expect(asks).toMatchObject({ state: 'conflict' });
    const both = { field_id: 1, all_links: [{ id: 5, type: '', direction: 'reverse' }] };
    const theirs = { ...links([9, '']), reverse_links: [] };
    expect(
      rebased(
        change(
          '1',
          'artifacts/1',
          [{ ...field(1, '', ''), before: { links: [], reverse_links: [] }, entry: both }],
          'v1',
        ),
        version('v2', { 1: theirs }),
        'k',
      )?.fields[0]?.entry['all_links'],
    ).toEqual([{ id: 9, type: '', direction: 'forward' }, ...both.all_links]);
  });

  test('files that both sides add, take away or describe are merged; one that both describe is asked about', () => {
    const wish = (value: readonly unknown[]) => ({ field_id: 1, value });
    const outcome = (before: unknown, value: readonly unknown[], theirs: unknown) =>
      rebased(
        change('1', 'artifacts/1', [{ ...field(1, '', ''), before, entry: wish(value) }], 'v1'),
        version('v2', { 1: theirs }),
        'k',
      );
    const sent = (before: unknown, value: readonly unknown[], theirs: unknown) =>
      outcome(before, value, theirs)?.fields[0]?.entry['value'];
    const old = files({ 5: 'a lamp', 6: '' });
    const kept = { id: 6, description: '' };
    const described = { id: 5, description: 'the old lamp' };
    const theirs = files({ 5: 'a lamp', 7: 'new' });
    // They took one away and added another, and this side described a third.
    expect(sent(old, [described, kept], theirs)).toEqual([described, { id: 7, description: 'new' }]);
    // They described a file while this side added one: their words stay.
    expect(sent(old, [{ id: 5, description: 'a lamp' }, kept, 8], files({ 5: 'their lamp', 6: '' }))).toEqual(
      [{ id: 5, description: 'their lamp' }, kept, 8],
    );
    expect(sent(old, [kept], files({ 5: 'their lamp', 6: '' }))).toEqual([kept]);
    expect(outcome(old, [described, kept], files({ 5: 'the old lamp', 6: '' }))).toBeUndefined();
    expect(outcome(old, [described, kept], files({ 5: 'their lamp', 6: '' }))).toMatchObject({
      state: 'conflict',
    });
    const cell = { value: old.file_descriptions };
    expect(sent(cell, [kept], files({ 5: 'a lamp', 6: '', 7: '' }))).toEqual([
      kept,
      { id: 7, description: '' },
    ]);
  });

  test('a row tells the same as the artifact: a cell is good enough to compare with', () => {
    const cell = { value: [{ id: 7, label: 'Open', color: 'red-wine' }] };
    const entry = { field_id: 1, bind_value_ids: [8] };
    const mine = change('1', 'artifacts/1', [{ ...field(1, '', ''), before: cell, entry }], 'v1');
    const now = { field_id: 1, values: [{ id: 7, label: 'Open' }], bind_value_ids: [7] };
    expect(rebased(mine, version('v2', { 1: now }), 'k')).toMatchObject({ state: 'waiting' });
  });

  test('after three merges somebody is asked', () => {
    let now: PendingChange | undefined = change('1', 'artifacts/1', [field(1, 'a', 'b')], 'v1');
    for (const round of [1, 2, 3, 4])
      now = now && rebased(now, version(`v${round + 1}`, { 1: { value: 'a' } }), `k${round}`);
    expect(now?.state).toBe('conflict');
  });

  test('a merge changes nothing but what both sides changed, whatever they changed', () => {
    const value = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 6 }), (triples) => {
        const fields = triples.map(([before, mine], index) => field(index, before, mine));
        const theirs = Object.fromEntries(triples.map(([, , now], index) => [index, { value: now }]));
        const next = rebased(change('1', 'artifacts/1', fields, 'v1'), version('v2', theirs), 'k');
        const sent = new Map(next?.fields.map(({ fieldId, entry }) => [fieldId, entry['value']]));
        const asked = new Set(next?.conflicts?.map(({ fieldId }) => fieldId));
        triples.forEach(([before, mine, now], index) => {
          expect(sent.has(index)).toBe(mine !== now);
          expect(asked.has(index)).toBe(mine !== now && before !== now);
          if (sent.has(index)) expect(sent.get(index)).toBe(mine);
        });
      }),
    );
  });
});

describe('a choice', () => {
  const conflict = () => {
    const mine = change('1', 'artifacts/1', [field(1, 'a', 'b'), field(2, 'x', 'y')], 'v1');
    const next = rebased(mine, version('v2', { 1: { value: 'c' }, 2: { value: 'z' } }), 'k');
    if (next === undefined) throw new Error('There is a conflict.');
    return next;
  };

  test('mine is sent on top of theirs, theirs is left alone', () => {
    const next = resolved(
      conflict(),
      new Map([
        [1, { field_id: 1, value: 'b' }],
        [2, undefined],
      ]),
      'k2',
    );
    expect(next).toMatchObject({ state: 'waiting', etag: 'v2', key: 'k2', merges: 0 });
    expect(next?.fields.map(({ entry }) => entry)).toEqual([{ field_id: 1, value: 'b' }]);
  });

  test('theirs everywhere: nothing is left to be sent', () => {
    const log = [conflict()];
    const next = resolved(
      conflict(),
      new Map([
        [1, undefined],
        [2, undefined],
      ]),
      'k2',
    );
    expect(next).toBeUndefined();
    expect(put(log, next, '1')).toEqual([]);
  });
});

describe('what is seen', () => {
  const artifact = {
    values: [
      { field_id: 1, label: 'Field 1', value: 'a' },
      { field_id: 2, label: 'Other', value: 'x' },
    ],
  };

  test('is what the server told with what is not stored yet on top, the last wish first', () => {
    const log = [
      change('1', 'artifacts/1', [field(1, 'a', 'b')]),
      change('2', 'artifacts/1', [field(1, 'b', 'c')]),
    ];
    expect(withChanges(artifact, log).values).toEqual([
      { field_id: 1, label: 'Field 1', value: 'c' },
      { field_id: 2, label: 'Other', value: 'x' },
    ]);
  });

  test('is the same object where nothing waits, so that nothing is drawn anew', () => {
    expect(withChanges(artifact, [])).toBe(artifact);
  });
});
