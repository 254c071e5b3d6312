import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openArchive, XmlReader, ZipWriter } from '../../src/archive/index.ts';
import { element } from '../../src/kernel/xml.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-archive-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newPath = () => join(folder, `${++files}.zip`);

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** Reads a document to its end. */
async function parse(text: string, size = 7): Promise<unknown> {
  const reader = new XmlReader('project.xml', inPieces(text, size));
  await reader.root();
  return reader.whole();
}

async function zipOf(entries: Readonly<Record<string, string>>): Promise<string> {
  const zip = await ZipWriter.create(newPath());
  for (const [name, text] of Object.entries(entries)) await zip.add(name, inPieces(text, 1000));
  await zip.finish();
  return zip.path;
}

async function textIn(path: string, name: string): Promise<string> {
  const archive = await openArchive(path);
  try {
    return Buffer.concat(await Array.fromAsync(await archive.open(name))).toString();
  } finally {
    await archive.close();
  }
}

/** A copy of a zip in which some bytes are others. */
function altered(path: string, from: string, to: string): string {
  const bytes = readFileSync(path).toString('latin1').replaceAll(from, to);
  const copy = newPath();
  writeFileSync(copy, bytes, 'latin1');
  return copy;
}

describe('zip files', () => {
  test('give back what was put into them, whatever its length', async () => {
    const long = 'Ünïcödé '.repeat(50_000);
    const path = await zipOf({ 'project.xml': '<a/>', 'data/Artifact1': long, 'data/ü': '' });
    const archive = await openArchive(path);
    expect([...archive.paths]).toEqual(['project.xml', 'data/Artifact1', 'data/ü']);
    expect(await archive.size('data/Artifact1')).toBe(Buffer.byteLength(long));
    expect(await archive.size('missing')).toBeUndefined();
    await archive.close();
    expect(await textIn(path, 'data/Artifact1')).toBe(long);
    expect(await textIn(path, 'data/ü')).toBe('');
  });

  test('are never written over another file, and leave nothing when they are abandoned', async () => {
    const path = await zipOf({ a: 'b' });
    await expect(ZipWriter.create(path)).rejects.toThrow(/EEXIST/);
    const zip = await ZipWriter.create(newPath());
    await zip.add('a', inPieces('b', 1));
    await zip.abandon();
    await expect(openArchive(zip.path)).rejects.toThrow(/no such file/);
  });

  test.each(['../out', '/etc/x', 'a/../../b', 'C:evil', 'a\\..\\b'])(
    'with the entry %j are refused',
    async (name) => {
      const path = await zipOf({ [name]: 'x' });
      await expect(openArchive(path)).rejects.toThrow(/leads out of the archive/);
    },
  );

  test('with damaged, repeated, overlapping or far too many bytes are refused', async () => {
    const path = await zipOf({ aaaa: 'some text', bbbb: 'another text' });
    await expect(openArchive(altered(path, 'bbbb', 'aaaa'))).rejects.toThrow(/aaaa is there twice/);
    await expect(openArchive(path, { bytes: 20, files: 10 })).rejects.toThrow(/more than 20 bytes/);
    await expect(openArchive(altered(path, 'PK\x05\x06', 'PK\x05\x07'))).rejects.toThrow(/not a zip file/);
    const bytes = readFileSync(path);
    const directory = bytes.indexOf('PK\x01\x02', 0, 'latin1');
    const large = Buffer.from(bytes);
    // The size that the first entry takes in the zip.
    large.writeUInt32LE(1_000_000, directory + 20);
    writeFileSync(`${path}.large`, large);
    await expect(openArchive(`${path}.large`)).rejects.toThrow(/overlap/);
    const wrong = Buffer.from(bytes);
    wrong.writeUInt32LE(3, directory + 24);
    writeFileSync(`${path}.wrong`, wrong);
    await expect(textIn(`${path}.wrong`, 'aaaa')).rejects.toThrow(/aaaa is damaged/);
    writeFileSync(`${path}.cut`, bytes.subarray(0, 40));
    await expect(openArchive(`${path}.cut`)).rejects.toThrow(/not a zip file/);
  });

  test('and folders that have links are refused', async () => {
    const linked = mkdtempSync(join(folder, 'linked-'));
    symlinkSync('/etc/passwd', join(linked, 'project.xml'));
    await expect(openArchive(linked)).rejects.toThrow(/project.xml is a link/);
  });
});

describe('XML of archives', () => {
  test('comes back as it was written, white space and all', async () => {
    const content = element('a', { x: 'é "<&>"\n\t', y: true }, [
      element('b', {}, ' \r\n <![CDATA[ ]]> & \u2028 '),
      element('c'),
      element('d', {}, [element('e', {}, '0')]),
    ]);
    const zip = await ZipWriter.create(newPath());
    await zip.addXml('project.xml', async (out) => out.element(content));
    await zip.finish();
    const text = await textIn(zip.path, 'project.xml');
    const withoutLines = JSON.stringify(await parse(text, 3), (key, value) => (key === 'line' ? 0 : value));
    expect(JSON.parse(withoutLines)).toEqual(content);
  });

  test('tells the line and the reason of every fault', async () => {
    const faults: readonly (readonly [string, RegExp])[] = [
      ['<a>\n<b>\n</a>', /^project.xml, line 3: .*unexpected close tag/i],
      ['<a>\n<b', /^project.xml, line 2: /],
      ['<!DOCTYPE a [<!ENTITY x "y">]>\n<a>&x;</a>', /^project.xml, line 1: A document type is not allowed/],
      ['<a>\n\n&x;</a>', /^project.xml, line 3: undefined entity/],
      ['<?xml version="1.0" encoding="latin1"?><a/>', /line 1: The encoding latin1 is not read/],
      [`${'<a>'.repeat(200)}`, /nested more than 100 deep/],
      ['<a x=1/>', /line 1/],
      ['', /line 1/],
    ];
    for (const [text, words] of faults) await expect(parse(text), text.slice(0, 40)).rejects.toThrow(words);
    const notText = new XmlReader(
      'users.xml',
      (async function* () {
        yield Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0xfe]);
      })(),
    );
    await expect(notText.root()).rejects.toThrow('users.xml, line 1: It is not UTF-8.');
  });

  test('is read to its end, where it shows whether it is whole', async () => {
    await expect(parse('<a><b/></a>\n  <!-- so far -->  and more')).rejects.toThrow(/outside of root/);
    const path = await zipOf({ 'project.xml': '<a><b>text</b></a>' });
    const bytes = readFileSync(path);
    // One bit of the sum of all its bytes.
    const sum = bytes.indexOf('PK\x01\x02', 0, 'latin1') + 16;
    bytes.writeUInt8(bytes.readUInt8(sum) ^ 1, sum);
    writeFileSync(`${path}.damaged`, bytes);
    const archive = await openArchive(`${path}.damaged`);
    const opened = async () => {
      const reader = new XmlReader('project.xml', await archive.open('project.xml'));
      await reader.root();
      return reader;
    };
    const damaged = /The entry project.xml is damaged/;
    await expect((await opened()).whole()).rejects.toThrow(damaged);
    await expect(Array.fromAsync((await opened()).children())).rejects.toThrow(damaged);
    await archive.close();
  });

  test('is passed over where nobody reads it', async () => {
    const text = '<a><b><c>1</c>x</b><d/><b><c>2</c></b>tail</a>';
    const reader = new XmlReader('project.xml', inPieces(text, 5));
    await reader.root();
    const seen: string[] = [];
    for await (const { name } of reader.children()) {
      seen.push(name);
      if (seen.length === 3)
        for await (const child of reader.children()) seen.push(child.name, (await reader.whole()).text);
    }
    expect(seen).toEqual(['b', 'd', 'b', 'c', '2']);
  });
});
