import { findAccountsByEmail, readSettings } from '../../identity/index.ts';
import type { ArchiveLimits } from '../../kernel/archive-limits.ts';
import type { Instant } from '../../kernel/clock.ts';
import { invalid, invalidMember } from '../../kernel/errors.ts';
import { fold } from '../../kernel/text.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { textOf as textIn, type XmlElement } from '../../kernel/xml.ts';
import {
  type AccessLevel,
  checkImportedShortname,
  type Project,
  requireFreeShortname,
} from '../../projects/index.ts';
import type { Reader } from '../../storage/index.ts';
import { listLinkTypes } from '../../trackers/index.ts';
import { ArtifactSurvey, type NamedPerson } from '../artifact-survey.ts';
import { type Archive, archiveFault, type Warn } from '../model.ts';
import { clipped } from '../words.ts';
import { newestIn } from './dates.ts';
import { projectFile, userMapFile } from './file-names.ts';
import {
  type ArchivedUser,
  type Decided,
  decideAll,
  findPeople,
  mappingAdvice,
  personFinder,
  refuseAll,
} from './people.ts';
import {
  type ArchiveContent,
  type EachArtifact,
  readArchivedProject,
  readUsers,
  warnOfFiles,
} from './read.ts';
import { checkRepositories } from './repositories.ts';
import { type ImportOptions, projectCalled, userMapOf } from './requests.ts';
import { parseUserMap, type UserMap } from './user-map.ts';

/** All that is known of an archive before anything of it is written. */
export interface Look extends ArchiveContent {
  readonly survey: ArtifactSurvey;
  readonly people: readonly Decided[];
  /** Accounts of this platform by the addresses that the archive names. */
  readonly byEmail: Readonly<Record<string, number>>;
  readonly shortname: string;
  readonly access: AccessLevel;
  /** The project that gets everything; undefined for a new one. */
  readonly into: Project | undefined;
  readonly newLinkTypes: readonly string[];
  readonly disabledLinkTypes: readonly string[];
  /** The newest moment at which an artifact changed. */
  readonly newest: Instant;
}

/** Bytes of a mapping file at the most: longer than one for everybody whom an archive may name. */
const largestMap = 16 * 1024 * 1024;

async function textOf(archive: Archive, path: string): Promise<string | undefined> {
  const size = await archive.size(path);
  if (size === undefined) return undefined;
  if (size > largestMap) throw archiveFault(path, undefined, `It has more than ${largestMap} bytes.`);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of await archive.open(path)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

async function requireUserMap(
  archive: Archive,
  options: ImportOptions,
  users: readonly ArchivedUser[],
): Promise<UserMap> {
  const userMap = userMapOf(options);
  if (userMap !== undefined) return userMap;
  const own = await textOf(archive, userMapFile);
  if (own !== undefined) return parseUserMap(own);
  // Where nobody is named there is nothing to decide.
  if (users.length === 0) return { kind: 'file', actions: new Map() };
  throw invalid(`The archive tells of people, and nothing says who they are here. ${mappingAdvice}`);
}

/** Refuses when the archive names somebody of whom it does not tell; with all of them. */
function requirePeople(users: readonly ArchivedUser[], named: readonly NamedPerson[]): void {
  const isNamed = personFinder(users);
  const unknown = named.filter((person) => !isNamed(person));
  refuseAll(
    unknown.map(
      ({ format, value, line }) =>
        `${projectFile}, line ${line}: users.xml tells of nobody with the ${format} "${clipped(value)}".`,
    ),
  );
}

/** An archive that becomes a template carries no data. */
function requireNoData({ project }: ArchiveContent, survey: ArtifactSurvey): void {
  const found = [
    ...(project.groups.some(({ members }) => members.length > 0) ? ['members of user groups'] : []),
    ...(survey.count > 0 ? ['artifacts'] : []),
    ...(project.repositories.length > 0 ? ['repositories'] : []),
  ];
  if (found.length > 0) throw invalid(`The archive must carry no data, but it has ${found.join(', ')}.`);
}

async function accessHere(
  reader: Reader,
  { access, line }: ArchiveContent['project'],
  warn: Warn,
): Promise<AccessLevel> {
  const { access_mode } = await readSettings(reader);
  if (access_mode === 'restricted' || access === 'public' || access === 'private') return access;
  const instead = access === 'unrestricted' ? 'public' : 'private';
  const text = `There are no restricted users here: the project is ${instead}, not ${access}.`;
  warn({ code: 'invalid_value', place: 'project', line, text });
  return instead;
}

async function emailsOf(reader: Reader, named: readonly NamedPerson[]): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const email of new Set(named.filter(({ format }) => format === 'email').map(({ value }) => value))) {
    const [account] = email === '' ? [] : await findAccountsByEmail(reader, email);
    if (account !== undefined) found[email] = account.id;
  }
  return found;
}

/** What becomes of types of links. They belong to the platform, so not every import may bring new ones. */
async function linkTypesIn(
  reader: Reader,
  { linkTypes }: ArchiveContent['project'],
  survey: ArtifactSurvey,
  mayCreate: boolean,
  warn: Warn,
): Promise<Pick<Look, 'newLinkTypes' | 'disabledLinkTypes'>> {
  const known = new Set((await listLinkTypes(reader)).map(({ shortname }) => shortname));
  const used = new Map([
    ...survey.linkTypes,
    ...linkTypes.map(({ shortname, line }) => [shortname, line] as const),
  ]);
  const unknown = [...used.keys()].filter((shortname) => !known.has(shortname));
  for (const shortname of unknown)
    warn({
      code: mayCreate ? 'link_type_created' : 'skipped_element',
      place: 'project/natures',
      line: used.get(shortname) ?? 1,
      text: mayCreate
        ? `The type of links ${shortname} was not known here and is created.`
        : `The type of links ${shortname} is not known here, and only a site administrator can create it.`,
    });
  const disabled = linkTypes.filter(
    ({ shortname, isUsed }) => !isUsed && (mayCreate || known.has(shortname)),
  );
  return {
    newLinkTypes: mayCreate ? unknown : [],
    disabledLinkTypes: disabled.map(({ shortname }) => shortname),
  };
}

/** The name of a project that nobody sees yet. */
async function shortnameOf(reader: Reader, id: number): Promise<string> {
  const query = reader.sql.selectFrom('project').select('shortname').where('id', '=', id);
  return (await reader.first(query))?.shortname ?? '';
}

/** The project that the archive is imported into, and the name that a new one gets. */
async function targetOf(
  reader: Reader,
  viewer: Viewer,
  { into, name, reserved }: ImportOptions,
  own: string,
): Promise<Pick<Look, 'into' | 'shortname'>> {
  const project = into === undefined ? undefined : await projectCalled(reader, viewer, into);
  if (into !== undefined && project === undefined)
    throw invalidMember('project', `There is no project ${into}.`);
  if (project !== undefined && project.status !== 'active')
    throw invalidMember('project', `The project ${into} is not active.`);
  if (project !== undefined) return { into: project, shortname: project.shortname };
  if (reserved !== undefined)
    return { into: undefined, shortname: await shortnameOf(reader, reserved.projectId) };
  const shortname = name ?? own;
  checkImportedShortname(shortname);
  await requireFreeShortname(reader, shortname);
  return { into: undefined, shortname };
}

function requireDistinctTrackers({ trackers }: ArchiveContent): void {
  const seen = new Set<string>();
  for (const { attributes, line } of trackers) {
    const id = attributes['id'] ?? '';
    if (id === '' && trackers.length > 1)
      throw archiveFault(projectFile, line, 'A tracker among several has no id.');
    if (seen.has(id)) throw archiveFault(projectFile, line, `The tracker ${id} is there twice.`);
    seen.add(id);
  }
}

/** Refuses trackers that the project has already, by name or short name. */
async function requireNewTrackers(
  reader: Reader,
  trackers: readonly XmlElement[],
  into: Project,
): Promise<void> {
  const query = reader.sql.selectFrom('tracker').select(['name_key', 'item_name_key']);
  const there = await reader.all(query.where('project_id', '=', into.id).where('deleted_at', 'is', null));
  for (const tracker of trackers) {
    const [name, itemName] = [textIn(tracker, 'name').trim(), textIn(tracker, 'item_name').trim()];
    const isThere = there.some(
      (other) => other.name_key === fold(name) || other.item_name_key === itemName.toLowerCase(),
    );
    if (isThere)
      throw archiveFault(
        projectFile,
        tracker.line,
        `The project ${into.shortname} has a tracker with the name ${name} or the short name ${itemName}.`,
      );
  }
}

/** What becomes of the people of an archive, by its mapping or that of whoever imports it. */
async function decidedPeople(
  reader: Reader,
  archive: Archive,
  options: ImportOptions,
  users: readonly ArchivedUser[],
  named: readonly NamedPerson[],
): Promise<Decided[]> {
  requirePeople(users, named);
  return decideAll(reader, users, await requireUserMap(archive, options, users));
}

/** Reads an archive to its end and decides about everything in it. Refuses whatever cannot be imported. */
export async function lookAt(
  reader: Reader,
  viewer: Viewer,
  archive: Archive,
  options: ImportOptions,
  limits: ArchiveLimits,
  warn: Warn,
): Promise<Look> {
  const users = await readUsers(archive, limits);
  const survey = new ArtifactSurvey(projectFile, limits.users);
  let newest = 0;
  const see: EachArtifact = (place, artifact) => {
    survey.add(place, artifact);
    if (options.isFresh) newest = Math.max(newest, newestIn(artifact));
  };
  const content = await readArchivedProject(archive, limits, see, warn);
  for (const tracker of content.trackers) survey.addTracker(tracker);
  const { project } = content;
  warnOfFiles(archive, warn);
  const isTemplate = options.reserved !== undefined;
  if (isTemplate) requireNoData(content, survey);
  requireDistinctTrackers(content);
  await checkRepositories(archive, project.repositories);
  const named = [...project.groups.flatMap(({ members }) => members), ...survey.people];
  const people = isTemplate
    ? await findPeople(reader, users, named, warn)
    : await decidedPeople(reader, archive, options, users, named);
  const target = await targetOf(reader, viewer, options, project.shortname);
  if (target.into !== undefined) await requireNewTrackers(reader, content.trackers, target.into);
  return {
    ...content,
    ...target,
    ...{ survey, newest },
    access: target.into?.access ?? (await accessHere(reader, project, warn)),
    people,
    byEmail: await emailsOf(reader, named),
    ...(await linkTypesIn(reader, project, survey, !isTemplate, warn)),
  };
}
