import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  change,
  entryOf,
  messageOf,
  readArtifact,
  refused,
  Store,
  submit,
  type Value,
} from '../fixtures/artifact.ts';
import {
  chunkSize,
  createWorkplace,
  isStored,
  readInChunks,
  reserve,
  someBytes,
  upload,
  uploadInChunks,
  type Workplace,
} from '../fixtures/file.ts';
import { createProject, delegate, setMembers } from '../fixtures/project.ts';
import { addField, createTracker, setFieldPermissions, setPermissions } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, oneEngine, startAtelier } from '../harness/atelier.ts';

const allowed = 'OPTIONS, GET';

const engines = oneEngine('SQLite', 'bytes are read from a folder, and who may is decided in code');

describe.each(engines)('files of artifacts on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let place: Workplace;

  const set = (field: number, value: unknown) => ({ field_id: field, value });
  /** An artifact with one file of these bytes. */
  const attached = async (bytes: Buffer) => {
    const file = await uploadInChunks(place.alice, bytes);
    return { file, artifact: await submit(place.alice, place.tracker, [set(place.files, [file])]) };
  };
  const idsOf = (body: Value, field = place.files): number[] =>
    entryOf(body, field).file_descriptions.map(({ id }: Value) => id);

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    place = await createWorkplace(atelier);
  });
  afterAll(async () => {
    await store.close();
    await atelier.stop();
  });

  describe('are read in chunks', () => {
    test.each([0, 1, chunkSize, chunkSize + 1, 3 * chunkSize + 7])(
      '%i bytes come back as they went',
      async (size) => {
        const bytes = someBytes(size);
        const { alice, files, tracker } = place;
        const { id } = await upload(atelier, alice, files, bytes, { name: `random-${size}` });
        await submit(alice, tracker, [set(files, [id])]);
        expect((await readInChunks(place.bob, id)).equals(bytes)).toBe(true);
      },
    );

    test('by offset and limit, with the size in the headers, up to the end and beyond it', async () => {
      const { file } = await attached(Buffer.from('hello'));
      const path = `/artifact_files/${file}`;
      const whole = await place.bob.get(path);
      expect(whole.body).toEqual({ data: 'aGVsbG8=' });
      expect(Object.fromEntries([...whole.headers])).toMatchObject({
        'x-pagination-limit': '1048576',
        'x-pagination-offset': '0',
        'x-pagination-size': '5',
        'x-pagination-limit-max': '1048576',
        'x-upload-max-file-chunksize': '1048576',
        allow: allowed,
        'access-control-allow-methods': allowed,
      });
      const part = async (query: string) => {
        const { status, body } = await place.bob.get(`${path}?${query}`);
        expect(status).toBe(200);
        return Buffer.from(body.data, 'base64').toString();
      };
      expect(await part('offset=1&limit=3')).toBe('ell');
      expect(await part('offset=3&limit=1000')).toBe('lo');
      for (const nothing of ['offset=5', 'offset=999999999999', 'limit=0'])
        expect(await part(nothing)).toBe('');
      for (const wrong of ['offset=-1', 'limit=-1', 'limit=1048577', 'offset=x', 'limit=1.5'])
        expect((await place.bob.get(`${path}?${wrong}`)).status, wrong).toBe(400);
    });

    test('over the borders of pieces', async () => {
      const bytes = someBytes(2 * chunkSize + 100);
      const { file } = await attached(bytes);
      const { body } = await place.bob.get(
        `/artifact_files/${file}?offset=${chunkSize - 10}&limit=${chunkSize}`,
      );
      const part = bytes.subarray(chunkSize - 10, 2 * chunkSize - 10);
      expect(Buffer.from(body.data, 'base64').equals(part)).toBe(true);
    });

    test('in XML too', async () => {
      const { file } = await attached(Buffer.from('hello'));
      const { text } = await place.bob.get(`/artifact_files/${file}.xml`);
      expect(text).toContain('<response><data>aGVsbG8=</data></response>');
    });

    test('OPTIONS tells the size of a chunk to anybody, other methods are 405', async () => {
      const options = await atelier.anonymous.options('/artifact_files/1');
      expect([options.status, options.headers.get('allow')]).toEqual([200, allowed]);
      expect(options.headers.get('x-upload-max-file-chunksize')).toBe('1048576');
      const post = await place.alice.post('/artifact_files/1', {});
      expect([post.status, post.headers.get('allow')]).toEqual([405, allowed]);
    });
  });

  describe('are seen', () => {
    const read = (caller: Caller, file: number) => caller.get(`/artifact_files/${file}`);

    test('by everybody who sees the artifact, also without an account', async () => {
      const { file } = await attached(Buffer.from('public'));
      const { status, body } = await read(atelier.anonymous, file);
      expect([status, body]).toEqual([200, { data: Buffer.from('public').toString('base64') }]);
      await atelier.configure({ access_mode: 'regular' });
      expect((await read(atelier.anonymous, file)).status).toBe(401);
      await atelier.configure({ access_mode: 'anonymous' });
    });

    test('by nobody else: whatever the reason, it is 404', async () => {
      const { alice, bob } = place;
      const { id: tracker } = await createTracker(alice, place.project);
      const { field_id: field } = await addField(alice, tracker, { type: 'file', name: 'files' });
      const file = await uploadInChunks(alice, Buffer.from('hidden'));
      expect((await read(alice, file)).status).toBe(404);
      await submit(alice, tracker, [set(field, [file])]);
      expect((await read(bob, file)).status).toBe(200);
      const { project } = place;
      await setFieldPermissions(alice, field, { can_read: [`${project}_4`], can_submit: ['2'] });
      expect((await read(bob, file)).status).toBe(404);
      await setFieldPermissions(alice, field, { can_read: ['1'], can_submit: ['2'] });
      await setPermissions(alice, tracker, { can_access: [`${project}_4`] });
      expect((await read(bob, file)).status).toBe(404);
      expect((await read(atelier.anonymous, file)).status).toBe(404);
      expect((await read(alice, file)).status).toBe(200);
      const auditor = await atelier.createUser('auditor');
      expect((await read(auditor, file)).status).toBe(404);
      await delegate(atelier, auditor, [9]);
      expect((await read(auditor, file)).status).toBe(200);
      await store.unuse(field);
      expect((await read(alice, file)).status).toBe(404);
      expect((await read(alice, 99_999)).status).toBe(404);
      expect((await read(alice, Number.NaN)).status).toBe(400);
    });

    test('in a private project by its members only', async () => {
      const { alice, bob } = place;
      const { id: project } = await createProject(alice, 'secret', { is_public: false });
      const { id: tracker } = await createTracker(alice, project);
      const { field_id: field } = await addField(alice, tracker, { type: 'file', name: 'files' });
      const file = await uploadInChunks(alice, Buffer.from('secret'));
      await submit(alice, tracker, [set(field, [file])]);
      expect((await read(bob, file)).status).toBe(404);
      await setMembers(alice, `${project}_3`, [alice, bob]);
      expect((await read(bob, file)).status).toBe(200);
    });

    test('not when their bytes are missing', async () => {
      const missing = [404, 'Not Found: The bytes of this file are missing.'];
      const { file } = await attached(Buffer.from('lost soon'));
      expect((await read(place.bob, file)).status).toBe(200);
      rmSync(`${atelier.instance.folder}/blobs`, { recursive: true });
      const first = await read(place.bob, file);
      expect([first.status, messageOf(first)]).toEqual(missing);
      await atelier.sql(`delete from attachment_piece where attachment_id = ${file}`);
      const second = await read(place.bob, file);
      expect([second.status, messageOf(second)]).toEqual(missing);
    });
  });

  describe('as the value of a field', () => {
    test('are added, kept and removed; history tells which came and went', async () => {
      const { alice, bob, files, tracker } = place;
      const texts = ['first', 'second', 'third'].map((text) => Buffer.from(`${text} ${engine}`));
      const made: number[] = [];
      for (const text of texts) made.push(await uploadInChunks(alice, text, { name: `${text}.txt` }));
      const [first = 0, second = 0, third = 0] = made;
      const artifact = await submit(alice, tracker, [set(files, [first])]);
      const both = await change(alice, artifact, [set(files, [String(first), second, second])]);
      expect(idsOf(both)).toEqual([first, second]);
      expect((await change(alice, artifact, [set(place.title, 'named')])).values).toBeDefined();
      const swapped = await change(alice, artifact, [set(files, [second, third])]);
      expect(idsOf(swapped)).toEqual([second, third]);
      expect(texts.map((text) => isStored(atelier, text))).toEqual([false, true, true]);
      expect((await bob.get(`/artifact_files/${first}`)).status).toBe(404);
      expect(idsOf(await change(alice, artifact, [set(files, '')]))).toEqual([]);
      expect(texts.map((text) => isStored(atelier, text))).toEqual([false, false, false]);
      const { body: changesets } = await bob.get(`/artifacts/${artifact}/changesets`);
      expect(changesets.map((changeset: Value) => idsOf(changeset))).toEqual([
        [first],
        [first, second],
        [first, second],
        [second, third],
        [],
      ]);
    });

    test('show what is known of each', async () => {
      const { alice, bob, files, tracker } = place;
      const name = 'Bild (ä) 100%.PNG';
      const more = { name, mimetype: 'image/PNG', description: '  a picture ' };
      const file = await uploadInChunks(alice, Buffer.from('not really'), more);
      const artifact = await submit(alice, tracker, [set(files, [file])]);
      const encoded = `${file}-Bild%20%28%C3%A4%29%20100%25.PNG`;
      expect(entryOf(await readArtifact(bob, artifact), files)).toEqual({
        field_id: files,
        type: 'file',
        label: 'files',
        file_descriptions: [
          {
            id: file,
            submitted_by: alice.id,
            description: 'a picture',
            name,
            size: 10,
            type: 'image/PNG',
            html_url: `/plugins/tracker/attachments/${encoded}`,
            html_preview_url: `/plugins/tracker/attachments/preview/${encoded}`,
            uri: `artifact_files/${file}`,
          },
        ],
      });
      expect(entryOf(await readArtifact(bob, artifact), place.others)).toBeUndefined();
      expect((await alice.get(`/artifact_temporary_files/${file}`)).status).toBe(404);
    });

    test('sent back as they were read change nothing, in JSON and XML', async () => {
      const { alice, bob, files } = place;
      const { artifact, file } = await attached(Buffer.from('kept'));
      const entry = entryOf(await readArtifact(bob, artifact), files);
      await change(bob, artifact, [entry]);
      await change(bob, artifact, [set(files, [file])]);
      expect(await store.changesetsOf(artifact)).toBe(1);
      const xml = (value: string) =>
        alice.request('PUT', `/artifacts/${artifact}`, {
          rawBody: `<request><values><item><field_id>${files}</field_id>${value}</item></values></request>`,
          headers: { 'Content-Type': 'application/xml', Accept: 'application/xml' },
        });
      const kept = await xml(`<value><item>${file}</item></value>`);
      expect(kept.text).toContain(`<file_descriptions><item><id>${file}</id>`);
      const echoed = await xml(`<file_descriptions><item><id>${file}</id></item></file_descriptions>`);
      expect(echoed.status, echoed.text).toBe(200);
      expect(await store.changesetsOf(artifact)).toBe(1);
      const removed = await xml('<value> </value>');
      expect([removed.status, removed.text.includes('<file_descriptions></file_descriptions>')]).toEqual([
        200,
        true,
      ]);
    });

    test('of several fields are kept apart', async () => {
      const { alice, files, others, tracker } = place;
      const [one, two] = [
        await uploadInChunks(alice, Buffer.from('1')),
        await uploadInChunks(alice, Buffer.from('2')),
      ];
      const values = [set(files, [one]), set(others, [one])];
      const send = () => alice.post('/artifacts', { tracker: { id: tracker }, values });
      await refused(store, send, 400, `File #${one} cannot be in the field`);
      const artifact = await submit(alice, tracker, [set(files, [one]), set(others, [two])]);
      const moved = () => alice.put(`/artifacts/${artifact}`, { values: [set(others, [one, two])] });
      await refused(store, moved, 400, `File #${one} is already linked to artifact #${artifact}`);
      const after = await change(alice, artifact, [set(files, [])]);
      expect([idsOf(after), idsOf(after, others)]).toEqual([[], [two]]);
    });

    test('need the permission to submit or update the field', async () => {
      const { alice, bob, project } = place;
      const { id: tracker } = await createTracker(alice, project);
      const { field_id: field } = await addField(alice, tracker, { type: 'file', name: 'files' });
      await setFieldPermissions(alice, field, {
        can_read: ['1'],
        can_submit: [`${project}_4`],
        can_update: [`${project}_4`],
      });
      const file = await uploadInChunks(bob, Buffer.from('mine'));
      const create = () => bob.post('/artifacts', { tracker: { id: tracker }, values: [set(field, [file])] });
      await refused(store, create, 403, /submit/);
      const artifact = await submit(alice, tracker, [set(field, '')]);
      const update = () => bob.put(`/artifacts/${artifact}`, { values: [set(field, [file])] });
      await refused(store, update, 400, /not allowed to update/);
      expect((await bob.get(`/artifact_temporary_files/${file}`)).status).toBe(200);
    });

    test('a required field needs one, new or kept', async () => {
      const { alice, project } = place;
      const { id: tracker } = await createTracker(alice, project);
      const { field_id: field } = await addField(alice, tracker, {
        type: 'file',
        name: 'files',
        required: true,
      });
      const { field_id: title } = await addField(alice, tracker, { type: 'string', name: 'title' });
      const create = (values: unknown) => alice.post('/artifacts', { tracker: { id: tracker }, values });
      await refused(store, () => create([set(title, 'x')]), 400, /required/);
      await refused(store, () => create([set(field, [])]), 400, /required/);
      const artifact = await submit(alice, tracker, [
        set(field, [await uploadInChunks(alice, Buffer.from('x'))]),
      ]);
      const none = () => alice.put(`/artifacts/${artifact}`, { values: [set(field, [])] });
      await refused(store, none, 400, /required/);
      await change(alice, artifact, [set(title, 'y')]);
    });

    test('values_by_field does not take them', async () => {
      const { alice, tracker } = place;
      const file = await uploadInChunks(alice, Buffer.from('x'));
      const values = { files: { value: [file] } };
      const post = () => alice.post('/artifacts', { tracker: { id: tracker }, values_by_field: values });
      await refused(store, post, 400, /values_by_field/);
    });
  });

  describe('are described', () => {
    const describe = (field: number, id: number, description: unknown) => ({
      field_id: field,
      describe_files: [{ id, description }],
    });
    const descriptionsOf = (body: Value): string[] =>
      entryOf(body, place.files).file_descriptions.map(({ description }: Value) => description);
    const found = async (words: string): Promise<number[]> => {
      const query = encodeURIComponent(JSON.stringify({ files: words }));
      const { body, text, status } = await place.bob.get(
        `/trackers/${place.tracker}/artifacts?query=${query}`,
      );
      expect(status, text).toBe(200);
      return body.map(({ id }: Value) => id);
    };
    const drawn = async () => {
      const { alice, files, tracker } = place;
      const more = { name: 'lamp.png', mimetype: 'image/png', description: 'a lamp' };
      const file = await uploadInChunks(alice, Buffer.from('lamp'), more);
      const other = await uploadInChunks(alice, Buffer.from('other'), { name: 'other.txt' });
      return { file, other, artifact: await submit(alice, tracker, [set(files, [file, other])]) };
    };

    test('anew when they are attached already, by whoever may update the field, and searches find it', async () => {
      const { bob, files } = place;
      const { file, other, artifact } = await drawn();
      const read = await bob.get(`/artifacts/${artifact}`);
      const etag = read.headers.get('etag') ?? '';
      const send = (description: string, tag: string) =>
        bob.request('PUT', `/artifacts/${artifact}`, {
          body: { values: [describe(files, file, description)] },
          headers: { 'If-Match': tag },
        });
      const first = await send('  the quixotic lamp of the pier\n', etag);
      expect([first.status, descriptionsOf(first.body)]).toEqual([
        200,
        ['the quixotic lamp of the pier', ''],
      ]);
      expect(first.headers.get('etag')).not.toBe(etag);
      expect((await send('too late', etag)).status).toBe(412);
      expect(descriptionsOf(await readArtifact(place.alice, artifact))[0]).toBe(
        'the quixotic lamp of the pier',
      );
      expect(await found('quixotic')).toContain(artifact);
      // Naming the files says nothing about their descriptions.
      const kept = await change(bob, artifact, [set(files, [other, file])]);
      expect(idsOf(kept)).toEqual([file, other]);
      const alone = await change(bob, artifact, [set(files, [file])]);
      expect(descriptionsOf(alone)).toEqual(['the quixotic lamp of the pier']);
      const cleared = await change(bob, artifact, [describe(files, file, '')]);
      expect(descriptionsOf(cleared)).toEqual(['']);
      expect(await found('quixotic')).not.toContain(artifact);
    });

    test('in the same words without a change', async () => {
      const { bob, files } = place;
      const { file, other, artifact } = await drawn();
      await change(bob, artifact, [describe(files, file, ' a lamp ')]);
      const echo = [{ id: file, description: 'a lamp' }, { id: other }];
      await change(bob, artifact, [set(files, echo)]);
      expect(await store.changesetsOf(artifact)).toBe(1);
      await change(bob, artifact, [describe(files, file, 'The lamp')]);
      await change(bob, artifact, [describe(files, file, 'The lamp')]);
      expect(await store.changesetsOf(artifact)).toBe(2);
    });

    test('with the whole value too, of a new artifact and of one that is there', async () => {
      const { alice, bob, files, tracker } = place;
      const file = await uploadInChunks(alice, Buffer.from('x'));
      const artifact = await submit(alice, tracker, [set(files, [{ id: file, description: 'brand new' }])]);
      expect(descriptionsOf(await readArtifact(bob, artifact))).toEqual(['brand new']);
      const next = await uploadInChunks(bob, Buffer.from('y'));
      const value = [{ id: file, description: 'not so new' }, next];
      expect(descriptionsOf(await change(bob, artifact, [set(files, value)]))).toEqual(['not so new', '']);
      const third = await uploadInChunks(bob, Buffer.from('z'));
      const added = { ...describe(files, third, 'the third'), add_files: [third], remove_files: [file] };
      expect(descriptionsOf(await change(bob, artifact, [added]))).toEqual(['', 'the third']);
    });

    test('and history keeps what each of them said', async () => {
      const { bob, files } = place;
      const { file, artifact } = await drawn();
      await change(bob, artifact, [describe(files, file, 'the old lamp')]);
      await change(bob, artifact, [describe(files, file, 'the new lamp')]);
      const { body } = await bob.get(`/artifacts/${artifact}/changesets?order=asc`);
      const told = body.map((changeset: Value) => descriptionsOf(changeset)[0]);
      expect(told).toEqual(['a lamp', 'the old lamp', 'the new lamp']);
      const timeline = await bob.get(`/artifacts/${artifact}/timeline?limit=2`);
      const words = timeline.body.map(({ changes: [{ before, after }] }: Value) =>
        [before, after].map(({ value }) => value[0].description),
      );
      expect(words).toEqual([
        ['the old lamp', 'the new lamp'],
        ['a lamp', 'the old lamp'],
      ]);
    });

    test('only where that can be: others are refused and leave nothing behind', async () => {
      const { alice, bob, files, others, project } = place;
      const { file, artifact } = await drawn();
      const put = (entry: unknown) => () => bob.put(`/artifacts/${artifact}`, { values: [entry] });
      const entries: [unknown, RegExp][] = [
        [describe(others, file, 'x'), new RegExp(`File #${file} in \`describe_files\` is not in this field`)],
        [describe(files, 999_999, 'x'), /File #999999 in `describe_files` is not in this field/],
        [describe(files, file, 7), /must be a text/],
        [{ field_id: files, describe_files: [file] }, /need `id` and `description`/],
        [{ field_id: files, describe_files: [{ description: 'x' }] }, /is not a file id/],
        [{ field_id: files, describe_files: { id: file } }, /must be an array/],
        [describe(files, file, 'x'.repeat(10_001)), /at most 10000 characters/],
        [{ ...describe(files, file, 'x'), value: [file] }, /cannot be combined/],
        [set(files, [{ id: file, description: [] }]), /must be a text/],
      ];
      for (const [entry, words] of entries) await refused(store, put(entry), 400, words);
      const { id: tracker } = await createTracker(alice, project);
      const { field_id: field } = await addField(alice, tracker, { type: 'file', name: 'files' });
      const admins = [`${project}_4`];
      await setFieldPermissions(alice, field, { can_read: ['1'], can_submit: admins, can_update: admins });
      const own = await uploadInChunks(alice, Buffer.from('x'));
      const locked = await submit(alice, tracker, [set(field, [own])]);
      const update = () => bob.put(`/artifacts/${locked}`, { values: [describe(field, own, 'x')] });
      await refused(store, update, 400, /not allowed to update/);
    });
  });

  describe('that cannot be attached are refused, and stay as they are:', () => {
    /** Both ways of naming a file, which must answer the same. */
    const refusedBoth = async (file: number, status: number, words: string, field = place.files) => {
      const { alice, tracker } = place;
      const values = [set(place.title, 'changed'), set(field, [file])];
      await refused(
        store,
        () => alice.post('/artifacts', { tracker: { id: tracker }, values }),
        status,
        words,
      );
      const artifact = await submit(alice, tracker, [set(place.title, 'here')]);
      await refused(store, () => alice.put(`/artifacts/${artifact}`, { values }), status, words);
    };

    test('unknown ones', async () => {
      await refusedBoth(99_999, 404, 'File #99999 not found');
    });

    test('those of another artifact', async () => {
      const { file, artifact } = await attached(Buffer.from('taken'));
      await refusedBoth(file, 400, `File #${file} is already linked to artifact #${artifact}`);
    });

    test('those of an artifact or a field that one may not see, as if there were none', async () => {
      const { alice, bob, files, project, title, tracker } = place;
      const { id: closed } = await createTracker(alice, project);
      const { field_id: field } = await addField(alice, closed, { type: 'file', name: 'files' });
      const { field_id: hidden } = await addField(alice, closed, { type: 'file', name: 'hidden' });
      const admins = [`${project}_4`];
      await setFieldPermissions(alice, hidden, { can_read: admins, can_submit: admins, can_update: admins });
      const [seen, unseen] = [
        await uploadInChunks(alice, Buffer.from('x')),
        await uploadInChunks(alice, Buffer.from('y')),
      ];
      const holder = await submit(alice, closed, [set(field, [seen]), set(hidden, [unseen])]);
      const attach = (file: number) => () =>
        bob.post('/artifacts', { tracker: { id: tracker }, values: [set(title, 'x'), set(files, [file])] });
      await refused(store, attach(seen), 400, `File #${seen} is already linked to artifact #${holder}`);
      await refused(store, attach(unseen), 404, `File #${unseen} not found`);
      await setPermissions(alice, closed, { can_access: admins });
      await refused(store, attach(seen), 404, `File #${seen} not found`);
    });

    test('those that were removed', async () => {
      const { file, artifact } = await attached(Buffer.from('gone'));
      await change(place.alice, artifact, [set(place.files, [])]);
      await refusedBoth(file, 404, `File #${file} not found`);
    });

    test('temporary files of somebody else, and expired ones', async () => {
      const theirs = await uploadInChunks(place.bob, Buffer.from('theirs'));
      await refusedBoth(theirs, 404, `File #${theirs} not found`);
      expect((await place.bob.get(`/artifact_temporary_files/${theirs}`)).status).toBe(200);
      const old = await uploadInChunks(place.alice, Buffer.from('old'));
      await atelier.sql(`update attachment set expires_at = 1 where id = ${old}`);
      await refusedBoth(old, 404, `File #${old} not found`);
    });

    test('uploads that are incomplete, of somebody else, for another field, or expired', async () => {
      const { alice, bob, files, others } = place;
      const incomplete = await reserve(alice, files, 10, { name: 'incomplete' });
      await refusedBoth(incomplete.id, 404, `File #${incomplete.id} not found`);
      const theirs = await upload(atelier, bob, files, Buffer.from('theirs'), { name: 'theirs' });
      await refusedBoth(theirs.id, 404, `File #${theirs.id} not found`);
      const elsewhere = await upload(atelier, alice, others, Buffer.from('x'), { name: 'elsewhere' });
      await refusedBoth(elsewhere.id, 404, `File #${elsewhere.id} not found`);
      const expired = await upload(atelier, alice, files, Buffer.from('y'), { name: 'expired' });
      await atelier.sql(`update attachment set expires_at = 1 where id = ${expired.id}`);
      await refusedBoth(expired.id, 404, `File #${expired.id} not found`);
    });

    test.each([{}, { value: 5 }, { value: {} }, { value: ['x'] }, { value: null }])('%j', async (entry) => {
      const { alice, tracker, files } = place;
      const values = [{ field_id: files, ...entry }];
      await refused(
        store,
        () => alice.post('/artifacts', { tracker: { id: tracker }, values }),
        400,
        /files/,
      );
    });

    test('a file that two artifacts race for goes to exactly one of them', async () => {
      const { alice, files, title, tracker } = place;
      const file = await uploadInChunks(alice, Buffer.from('wanted'));
      const artifacts = await Promise.all(
        Array.from({ length: 6 }, () => submit(alice, tracker, [set(title, 'racer')])),
      );
      const replies = await Promise.all(
        artifacts.map((id) => alice.put(`/artifacts/${id}`, { values: [set(files, [file])] })),
      );
      const winners = artifacts.filter((_, index) => replies[index]?.status === 200);
      expect(winners).toHaveLength(1);
      for (const reply of replies.filter(({ status }) => status !== 200))
        expect([reply.status, messageOf(reply)]).toEqual([
          400,
          `Bad Request: File #${file} is already linked to artifact #${winners[0]}`,
        ]);
    });
  });

  test('leave their owner the room that they took before they were attached', async () => {
    const { alice, files, tracker } = place;
    const usage = async () =>
      Number((await alice.get('/artifact_temporary_files')).headers.get('x-disk-usage'));
    const before = await usage();
    const ids = [
      await uploadInChunks(alice, Buffer.from('four')),
      await uploadInChunks(alice, Buffer.from('five!')),
    ];
    expect(await usage()).toBe(before + 9);
    await submit(alice, tracker, [set(files, ids.slice(1))]);
    expect(await usage()).toBe(before + 4);
    await alice.delete(`/artifact_temporary_files/${ids[0]}`);
    expect(await usage()).toBe(before);
    // Of everybody, after all that the tests above did and all that was refused there.
    const kept = await atelier.sql('select account_id, files, bytes from temporary_usage where files <> 0');
    const counted = await atelier.sql(
      "select submitted_by as account_id, count(*) as files, sum(size) as bytes from attachment where state = 'temporary' group by submitted_by",
    );
    const asNumbers = (rows: typeof kept) =>
      rows.map((row) => [row['account_id'], row['files'], row['bytes']].map(Number)).sort();
    expect(asNumbers(kept)).toEqual(asNumbers(counted));
  });

  test('the form of a tracker tells where to upload and how much', async () => {
    const { body } = await place.alice.get(`/trackers/${place.tracker}`);
    const field = body.fields.find(({ field_id }: Value) => field_id === place.files);
    expect(field).toMatchObject({
      file_creation_uri: `tracker_fields/${place.files}/files`,
      max_size_upload: 67_108_864,
    });
  });
});
