import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AccountReferences,
  type ArchivedPeople,
  type ArchiveWarning,
  ArtifactImport,
  ArtifactSurvey,
  addFiles,
  attachedFiles,
  openArchive,
  trackerElement,
  triggersElement,
  writeArtifacts,
  XmlReader,
  ZipWriter,
} from '../src/archive/index.ts';
import { commandLineViewer } from '../src/kernel/viewer.ts';
import type { XmlElement } from '../src/kernel/xml.ts';
import { operations, projectExtensions } from '../src/operations.ts';
import { BlobKeeper, type Database, openBlobs, openDatabase, operationsOn } from '../src/storage/index.ts';
import { loadPublicReports, loadTracker, type Tracker, Trackers } from '../src/trackers/index.ts';
import type { Instance } from './harness/atelier.ts';

const viewer = commandLineViewer('regular');

/** The people of another instance by their names. */
export const peopleNamed = (byName: Readonly<Record<string, number>>): ArchivedPeople => ({
  byName,
  byId: {},
  byLdapId: {},
  byEmail: {},
});

/** Reads and writes archives of the data of an instance, past its server. */
export class ArchiveDesk {
  readonly database: Database;
  readonly operations;
  readonly #keeper: BlobKeeper;
  readonly #folder = mkdtempSync(join(tmpdir(), 'atelier-archives-'));
  #archives = 0;

  private constructor(database: Database, dataFolder: string) {
    this.database = database;
    this.operations = operationsOn(database, operations);
    this.#keeper = new BlobKeeper(openBlobs({ dataFolder, blobs: undefined }), database, this.operations);
  }

  static async of({ folder, environment }: Instance): Promise<ArchiveDesk> {
    const databaseUrl = environment['ATELIER_DATABASE_URL'];
    return new ArchiveDesk(await openDatabase({ folder, databaseUrl, connections: 2 }), folder);
  }

  async close(): Promise<void> {
    rmSync(this.#folder, { recursive: true });
    await this.database.close();
  }

  async #load(ids: readonly number[]): Promise<Tracker[]> {
    const loaded: Tracker[] = [];
    for (const id of ids) {
      const tracker = await loadTracker(this.database, id);
      if (tracker !== undefined) loaded.push(tracker);
    }
    return loaded;
  }

  /** Writes trackers with all their artifacts into a zip, and gives its path. */
  async write(trackerIds: readonly number[]): Promise<string> {
    const path = join(this.#folder, `${++this.#archives}.zip`);
    const zip = await ZipWriter.create(path);
    const trackers = await this.#load(trackerIds);
    const references = new AccountReferences(this.database);
    const scope = {
      references,
      linkable: new Set(trackerIds),
      hasRemovedFiles: false,
      isForElsewhere: true,
    };
    await zip.addXml('project.xml', async (out) => {
      out.begin('trackers');
      for (const tracker of trackers) {
        const { attributes, children } = await trackerElement(
          tracker,
          references,
          await loadPublicReports(this.database, tracker.id),
        );
        out.begin('tracker', attributes);
        for (const child of children) out.element(child);
        await writeArtifacts(out, this.database, tracker, scope);
        out.end();
      }
      out.element(triggersElement(trackers));
      out.end();
    });
    for (const { id } of trackers)
      await addFiles(zip, this.database, this.#keeper.blobs, attachedFiles(this.database, id));
    await zip.finish();
    return path;
  }

  /** Reads trackers with all their artifacts into a project, and gives their ids. */
  async read(
    path: string,
    projectId: number,
    people: ArchivedPeople,
  ): Promise<{ ids: number[]; warnings: ArchiveWarning[] }> {
    const archive = await openArchive(path);
    const warnings: ArchiveWarning[] = [];
    const warn = (warning: ArchiveWarning) => void warnings.push(warning);
    const survey = new ArtifactSurvey();
    const { trackers, triggers } = await readXml(path, (place, artifact) => survey.add(place, artifact));
    const made = new Map<number, Awaited<ReturnType<typeof this.operations.importTracker>>>();
    const byKey: Record<string, typeof made extends Map<number, infer Made> ? Made : never> = {};
    const parents: Record<string, string> = {};
    for (const [place, element] of trackers.entries()) {
      const trackerIds = Object.fromEntries(Object.entries(byKey).map(([key, { id }]) => [key, id]));
      const imported = await this.operations.importTracker(viewer, {
        projectId,
        element,
        people,
        trackerIds,
      });
      const { id: key = '', parent_id: parent = '0' } = element.attributes;
      made.set(place, imported);
      byKey[key] = imported;
      if (parent !== '0') parents[key] = parent;
      warnings.push(...imported.warnings);
    }
    const tools = {
      database: this.database,
      operations: this.operations,
      keeper: this.#keeper,
      trackers: new Trackers(),
      extensions: projectExtensions,
    };
    const task = { archive, people, trackers: made, survey, largestFile: 1e9, warn };
    const artifacts = new ArtifactImport(tools, viewer, task);
    await artifacts.begin(made.keys());
    await readXml(path, (place, artifact) => artifacts.add(place, artifact));
    await artifacts.finish();
    warnings.push(...(await this.operations.tieTrackers(viewer, { trackers: byKey, parents, triggers })));
    await archive.close();
    return { ids: [...made.values()].map(({ id }) => id), warnings };
  }
}

/** The trackers of a zip without their artifacts, which go by one after the other. */
async function readXml(path: string, each: (place: number, artifact: XmlElement) => Promise<void> | void) {
  const archive = await openArchive(path);
  const reader = new XmlReader('project.xml', await archive.open('project.xml'));
  const trackers: XmlElement[] = [];
  let triggers: XmlElement | undefined;
  await reader.root();
  for await (const start of reader.children()) {
    if (start.name !== 'tracker') {
      triggers = await reader.whole();
      continue;
    }
    const children: XmlElement[] = [];
    for await (const child of reader.children()) {
      if (child.name !== 'artifacts') children.push(await reader.whole());
      else for await (const _ of reader.children()) await each(trackers.length, await reader.whole());
    }
    trackers.push({ ...start, children, text: '' });
  }
  await archive.close();
  return { trackers, triggers };
}

/** Numbers each kind of id anew, in the order in which it comes up. */
class Renumbering {
  readonly #known = new Map<string, string>();
  readonly #last = new Map<string, number>();

  of(kind: string, id: string): string {
    const key = `${kind} ${id}`;
    const number = (this.#last.get(kind) ?? 0) + 1;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#last.set(kind, number);
    this.#known.set(key, `${kind}-${number}`);
    return `${kind}-${number}`;
  }
}

const prefixed = /^(F|V|T|R|REPORT_|CHANGESET_|fileinfo_)(\d+)$/;

/** The content of an archive with all ids numbered anew, so that two can be compared. */
export async function contentOf(path: string): Promise<unknown> {
  const archive = await openArchive(path);
  const numbers = new Renumbering();
  const attribute = (element: string, name: string, value: string) => {
    const match = prefixed.exec(value);
    if (match?.[1] !== undefined && match[2] !== undefined) return numbers.of(match[1], match[2]);
    if (element === 'artifact' && name === 'id') return numbers.of('A', value);
    return value.replace(/^ugroup_(\d{3,})$/, (_, id) => numbers.of('G', id));
  };
  const text = (element: XmlElement, parent: XmlElement | undefined) => {
    const { attributes } = element;
    if (element.name === 'path') return element.text.replace(/\d+$/, (id) => numbers.of('fileinfo_', id));
    if (element.name === 'value' && attributes['format'] === 'id')
      return numbers.of('V', element.text.replace(/^b/, ''));
    if (element.name === 'value' && parent?.attributes['type'] === 'art_link')
      return numbers.of('A', element.text);
    return element.text.replaceAll(/(?<=\/attachments\/)\d+/g, (id) => numbers.of('fileinfo_', id));
  };
  const plain = (element: XmlElement, parent?: XmlElement): unknown => {
    const attributes = Object.entries(element.attributes).map(([name, value]) => [
      name,
      attribute(element.name, name, value),
    ]);
    const children = element.children.map((child) => plain(child, element));
    // Which of several values came first means nothing.
    const isSet = element.name === 'field_change' && element.attributes['type'] !== 'file';
    const sorted = isSet
      ? children.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : children;
    return [element.name, Object.fromEntries(attributes), text(element, parent), ...sorted];
  };
  const reader = new XmlReader('project.xml', await archive.open('project.xml'));
  await reader.root();
  const content = plain(await reader.whole());
  const files: string[] = [];
  for (const name of [...archive.paths].filter((entry) => entry.startsWith('data/'))) {
    const bytes: Uint8Array[] = [];
    for await (const chunk of await archive.open(name)) bytes.push(chunk);
    files.push(Buffer.concat(bytes).toString('base64'));
  }
  await archive.close();
  return { content, files };
}
