import type { ArchiveLimits } from '../../kernel/archive-limits.ts';
import type { XmlElement } from '../../kernel/xml.ts';
import { type Archive, archiveFault, type Warn } from '../model.ts';
import { clipped } from '../words.ts';
import { XmlReader, XmlRoom, type XmlStart } from '../xml-reader.ts';
import {
  type ProjectDraft,
  readArchivedGroups,
  readLinkTypes,
  readRepositories,
  readRoot,
  readServices,
  readUser,
} from './draft.ts';
import { projectFile, usersFile } from './file-names.ts';
import type { ArchivedUser } from './people.ts';

/** What a look through the whole archive gives: everything but the artifacts, which were shown to whoever asked. */
export interface ArchiveContent {
  readonly project: ProjectDraft;
  /** Each without its artifacts, in the order of the archive. */
  readonly trackers: readonly XmlElement[];
  /** Rules from children to parents, `undefined` where there are none. */
  readonly triggers: XmlElement | undefined;
  readonly usesLinkTypes: boolean;
  readonly hasReferences: boolean;
}

/** Called for every artifact with the place of its tracker in the archive. */
export type EachArtifact = (tracker: number, artifact: XmlElement) => Promise<void> | void;

/** Elements that belong to parts of other platforms, by what they are about. */
const skippedParts: Readonly<Record<string, string>> = {
  dashboards: 'dashboards',
  agiledashboard: 'planning, backlog and kanban',
  cardwall: 'card walls',
  git: 'Git repositories',
  frs: 'file releases',
  docman: 'documents',
  mediawiki: 'a wiki',
  'mediawiki-standalone': 'a wiki',
};

const ownFiles = /^(project\.xml|users\.xml|user_map\.csv|left-out\.txt|data\/.*|svn\/.*|data|svn)$/;

/** Tells of files that belong to what there is not here. */
export function warnOfFiles({ paths }: Archive, warn: Warn): void {
  for (const path of paths)
    if (!ownFiles.test(path) && !path.includes('/'))
      warn({
        code: 'skipped_element',
        place: path,
        line: 1,
        text: `The file ${path} belongs to nothing here.`,
      });
}

/** Programs that make zip files of a folder like to put the folder itself into them. */
function wordsOfMissing(archive: Archive, path: string): string {
  const lower = Iterator.from(archive.paths).find((one) => one.endsWith(`/${path}`));
  if (lower !== undefined) {
    const folder = clipped(lower.slice(0, -path.length - 1));
    return `It is in the folder ${folder} of the archive. Name that folder, or a zip file of what lies in it.`;
  }
  return path === projectFile ? 'There is no content in the archive.' : 'It is missing.';
}

async function openXml(archive: Archive, path: string, limits: ArchiveLimits): Promise<XmlReader> {
  if ((await archive.size(path)) === undefined)
    throw archiveFault(path, undefined, wordsOfMissing(archive, path));
  return new XmlReader(path, await archive.open(path), limits);
}

/** What is held of an archive from the beginning to the end: everything but its artifacts. */
const structureRoom = () => new XmlRoom(heldElements);
const heldElements = 500_000;

/** The people that an archive names. */
export async function readUsers(archive: Archive, limits: ArchiveLimits): Promise<ArchivedUser[]> {
  const reader = await openXml(archive, usersFile, limits);
  const root = await reader.root();
  if (root.name !== 'users') throw reader.fault(root.line, `It begins with ${root.name}, not with users.`);
  const users: ArchivedUser[] = [];
  const room = structureRoom();
  for await (const start of reader.children()) {
    if (start.name !== 'user') continue;
    if (users.length === limits.users)
      throw reader.fault(start.line, `It tells of more than ${limits.users} people.`);
    users.push(readUser(await reader.whole(room)));
  }
  return users;
}

const emptyElement = (start: XmlStart): XmlElement => ({ ...start, children: [], text: '' });

type TakeArtifact = (artifact: XmlElement) => Promise<void> | void;

async function passArtifacts(reader: XmlReader, each: TakeArtifact): Promise<void> {
  for await (const entry of reader.children())
    if (entry.name === 'artifact') await each(await reader.whole());
}

/** Reads one tracker; its artifacts go by one after the other and are not kept. */
export async function readTracker(reader: XmlReader, start: XmlStart, room: XmlRoom, each: TakeArtifact) {
  const children: XmlElement[] = [];
  for await (const child of reader.children()) {
    if (child.name !== 'artifacts') {
      children.push(await reader.whole(room));
      continue;
    }
    await passArtifacts(reader, each);
  }
  return { ...emptyElement(start), children };
}

interface TrackersContent {
  readonly trackers: XmlElement[];
  triggers: XmlElement | undefined;
  hasReferences: boolean;
}

async function readTrackers(
  reader: XmlReader,
  { trackers: most }: ArchiveLimits,
  room: XmlRoom,
  each: EachArtifact,
): Promise<TrackersContent> {
  const content: TrackersContent = { trackers: [], triggers: undefined, hasReferences: false };
  for await (const start of reader.children()) {
    const place = content.trackers.length;
    if (start.name === 'tracker') {
      if (place === most) throw reader.fault(start.line, `There are more than ${most} trackers.`);
      content.trackers.push(await readTracker(reader, start, room, (artifact) => each(place, artifact)));
    } else if (start.name === 'triggers') content.triggers = await reader.whole(room);
    else if (start.name === 'references') content.hasReferences = (await reader.whole()).children.length > 0;
  }
  return content;
}

/** Passes by an element that means nothing here, whatever its size, and tells of it. */
async function passPart(reader: XmlReader, { name, line }: XmlStart, warn: Warn): Promise<void> {
  const place = `project/${name}`;
  const known = Object.hasOwn(skippedParts, name) ? skippedParts[name] : undefined;
  if (known === undefined)
    return warn({ code: 'skipped_element', place, line, text: `The element ${name} is not known here.` });
  let count = 0;
  for await (const _ of reader.children()) count++;
  const items = count === 1 ? '1 item' : `${count} items`;
  const text = `${name} (${known}, ${items}) was left out: there is nothing of the kind here.`;
  warn({ code: 'skipped_element', place, line, text });
}

const parts = ['long-description', 'banner', 'services', 'ugroups', 'natures', 'svn'];

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Takes one element of the project into the draft. */
function readPart(
  project: Mutable<ProjectDraft>,
  element: XmlElement,
  limits: ArchiveLimits,
  warn: Warn,
): void {
  switch (element.name) {
    case 'long-description':
      project.longDescription = element.text;
      break;
    case 'banner':
      project.banner = element.text === '' ? null : element.text;
      break;
    case 'services':
      project.services = readServices(element, warn);
      break;
    case 'ugroups':
      Object.assign(project, readArchivedGroups(element, limits.groups));
      break;
    case 'natures':
      project.linkTypes = readLinkTypes(element);
      break;
    case 'svn':
      project.repositories = readRepositories(element);
      break;
  }
}

/** Reads the whole project, in memory that does not grow with the number of artifacts. */
export async function readArchivedProject(
  archive: Archive,
  limits: ArchiveLimits,
  each: EachArtifact,
  warn: Warn,
): Promise<ArchiveContent> {
  const reader = await openXml(archive, projectFile, limits);
  const room = structureRoom();
  const project: Mutable<ProjectDraft> = {
    ...readRoot(await reader.root()),
    ...{ longDescription: '', banner: null, isSynchronised: false },
    ...{ services: [], groups: [], linkTypes: [], repositories: [] },
  };
  let found: TrackersContent | undefined;
  let usesLinkTypes = true;
  for await (const start of reader.children()) {
    if (parts.includes(start.name)) readPart(project, await reader.whole(room), limits, warn);
    else if (start.name !== 'trackers') await passPart(reader, start, warn);
    else if (found === undefined) {
      usesLinkTypes = start.attributes['use-natures'] !== 'false';
      found = await readTrackers(reader, limits, room, each);
    }
  }
  const { trackers, triggers, hasReferences } = found ?? {
    trackers: [],
    triggers: undefined,
    hasReferences: false,
  };
  return { project, trackers, triggers, usesLinkTypes, hasReferences };
}

/** Passes by all that is known of the trackers already. */
async function passTrackers(reader: XmlReader, each: EachArtifact): Promise<void> {
  let place = -1;
  for await (const start of reader.children()) {
    if (start.name !== 'tracker') continue;
    place++;
    for await (const child of reader.children())
      if (child.name === 'artifacts') await passArtifacts(reader, (artifact) => each(place, artifact));
  }
}

/** Shows the artifacts once more. */
export async function readArchivedArtifacts(
  archive: Archive,
  limits: ArchiveLimits,
  each: EachArtifact,
): Promise<void> {
  const reader = await openXml(archive, projectFile, limits);
  await reader.root();
  let isFirst = true;
  for await (const start of reader.children()) {
    if (start.name !== 'trackers' || !isFirst) continue;
    isFirst = false;
    await passTrackers(reader, each);
  }
}
