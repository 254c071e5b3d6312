import type { XmlElement } from '../../kernel/xml.ts';
import { type Archive, archiveFault, type Warn } from '../model.ts';
import { XmlReader, type XmlStart } from '../xml-reader.ts';
import {
  type ProjectDraft,
  projectFile,
  readGroups,
  readLinkTypes,
  readRepositories,
  readRoot,
  readServices,
  readUser,
  usersFile,
} from './draft.ts';
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

const ownFiles = /^(project\.xml|users\.xml|user_map\.csv|data\/.*|svn\/.*|data|svn)$/;

/** Tells of files that belong to what there is not here. */
export function warnOfFiles({ paths }: Archive, warn: Warn): void {
  for (const path of paths)
    if (!ownFiles.test(path) && !path.includes('/'))
      warn({ code: 'skipped_element', place: path, text: `The file ${path} belongs to nothing here.` });
}

async function openXml(archive: Archive, path: string): Promise<XmlReader> {
  if ((await archive.size(path)) === undefined)
    throw archiveFault(
      path,
      undefined,
      path === projectFile ? 'There is no content in the archive.' : 'It is missing.',
    );
  return new XmlReader(path, await archive.open(path));
}

/** The people that an archive names. */
export async function readUsers(archive: Archive): Promise<ArchivedUser[]> {
  const reader = await openXml(archive, usersFile);
  const root = await reader.root();
  if (root.name !== 'users') throw reader.fault(root.line, `It begins with ${root.name}, not with users.`);
  const users: ArchivedUser[] = [];
  for await (const start of reader.children())
    if (start.name === 'user') users.push(readUser(await reader.whole()));
  return users;
}

const emptyElement = (start: XmlStart): XmlElement => ({ ...start, children: [], text: '' });

/** Reads one tracker; its artifacts go by one after the other and are not kept. */
async function readTracker(
  reader: XmlReader,
  start: XmlStart,
  each: (artifact: XmlElement) => Promise<void> | void,
) {
  const children: XmlElement[] = [];
  for await (const child of reader.children()) {
    if (child.name !== 'artifacts') {
      children.push(await reader.whole());
      continue;
    }
    for await (const entry of reader.children())
      if (entry.name === 'artifact') await each(await reader.whole());
  }
  return { ...emptyElement(start), children };
}

interface TrackersContent {
  readonly trackers: XmlElement[];
  triggers: XmlElement | undefined;
  hasReferences: boolean;
}

async function readTrackers(reader: XmlReader, each: EachArtifact): Promise<TrackersContent> {
  const content: TrackersContent = { trackers: [], triggers: undefined, hasReferences: false };
  for await (const start of reader.children()) {
    const place = content.trackers.length;
    if (start.name === 'tracker')
      content.trackers.push(await readTracker(reader, start, (artifact) => each(place, artifact)));
    else if (start.name === 'triggers') content.triggers = await reader.whole();
    else if (start.name === 'references') content.hasReferences = (await reader.whole()).children.length > 0;
  }
  return content;
}

function warnOfPart(element: XmlElement, warn: Warn): void {
  const known = skippedParts[element.name];
  if (known === undefined) {
    const text = `The element ${element.name} is not known here.`;
    return warn({ code: 'skipped_element', place: `project/${element.name}, line ${element.line}`, text });
  }
  const count = element.children.length;
  const items = count === 1 ? '1 item' : `${count} items`;
  const text = `${element.name} (${known}, ${items}) was left out: there is nothing of the kind here.`;
  warn({ code: 'skipped_element', place: `project/${element.name}, line ${element.line}`, text });
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Takes one element of the project into the draft. */
function readPart(project: Mutable<ProjectDraft>, element: XmlElement, warn: Warn): void {
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
      Object.assign(project, readGroups(element));
      break;
    case 'natures':
      project.linkTypes = readLinkTypes(element);
      break;
    case 'svn':
      project.repositories = readRepositories(element);
      break;
    default:
      warnOfPart(element, warn);
  }
}

/** Reads the whole project, in memory that does not grow with the number of artifacts. */
export async function readProject(archive: Archive, each: EachArtifact, warn: Warn): Promise<ArchiveContent> {
  const reader = await openXml(archive, projectFile);
  const project: Mutable<ProjectDraft> = {
    ...readRoot(await reader.root()),
    ...{ longDescription: '', banner: null, isSynchronised: false },
    ...{ services: [], groups: [], linkTypes: [], repositories: [] },
  };
  let found: TrackersContent | undefined;
  let usesLinkTypes = true;
  for await (const start of reader.children()) {
    if (start.name !== 'trackers') readPart(project, await reader.whole(), warn);
    else if (found === undefined) {
      usesLinkTypes = start.attributes['use-natures'] !== 'false';
      found = await readTrackers(reader, each);
    }
  }
  const { trackers, triggers, hasReferences } = found ?? {
    trackers: [],
    triggers: undefined,
    hasReferences: false,
  };
  return { project, trackers, triggers, usesLinkTypes, hasReferences };
}

/** Shows the artifacts once more. */
export async function readArtifacts(archive: Archive, each: EachArtifact): Promise<void> {
  const reader = await openXml(archive, projectFile);
  await reader.root();
  let isFirst = true;
  for await (const start of reader.children()) {
    if (start.name !== 'trackers' || !isFirst) continue;
    isFirst = false;
    await readTrackers(reader, each);
  }
}
