import { Readable } from 'node:stream';
import { invalid } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { element, type XmlElement } from '../../kernel/xml.ts';
import { type Project, requireProject } from '../../projects/index.ts';
import type { Reader } from '../../storage/index.ts';
import type { ExportedRepository } from '../../svn/index.ts';
import { loadPublicReports, loadTracker, type Tracker } from '../../trackers/index.ts';
import { writeArtifacts } from '../artifact-writer.ts';
import { addFiles, attachedFiles } from '../file-writer.ts';
import { AccountReferences } from '../people.ts';
import { rendererLosses } from '../report-writer.ts';
import { trackerElement } from '../tracker-writer.ts';
import { ruleLosses, triggersElement } from '../workflow-writer.ts';
import type { XmlWriter } from '../xml-writer.ts';
import { ZipWriter } from '../zip-writer.ts';
import type { ArchiveDeps } from './deps.ts';
import {
  bannerElements,
  type ExportMode,
  groupsElement,
  linkTypeLosses,
  naturesElement,
  projectAttributes,
  servicesElement,
  usersElements,
} from './exported.ts';
import { leftOutFile, projectFile, usersFile } from './file-names.ts';
import { projectLosses, repositoryLosses } from './losses.ts';
import type { ImportProgress } from './records.ts';
import { hasSubversion } from './repositories-in.ts';
import { addDumps, repositoriesOf, svnElement } from './repositories-out.ts';

export interface ExportTask {
  readonly projectId: number;
  readonly mode: ExportMode;
  /** The one tracker to write, without what ties it to others; else all of them, and the repositories. */
  readonly trackerId?: number | undefined;
  /** The zip file to write, which must not be there yet. */
  readonly path: string;
  readonly tell?: ((progress: ImportProgress) => void) | undefined;
}

export interface ExportReport {
  readonly counts: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

/** What exports read with. */
export type ExportSource = Pick<ArchiveDeps, 'database' | 'keeper' | 'trackers' | 'config'>;

/** One export, from the project to its last file. */
class ProjectExport {
  readonly #source: ExportSource;
  readonly #viewer: Viewer;
  readonly #task: ExportTask;
  readonly #references: AccountReferences;
  readonly #counts = new Map<string, number>();
  readonly #warnings: string[] = [];
  readonly #linkTypes = new Set<string>();
  #repositories: readonly ExportedRepository[] = [];

  constructor(source: ExportSource, viewer: Viewer, task: ExportTask) {
    this.#source = source;
    this.#viewer = viewer;
    this.#task = task;
    this.#references = new AccountReferences(source.database);
  }

  async run(): Promise<ExportReport> {
    const { database } = this.#source;
    const project = await requireProject(database, this.#viewer, this.#task.projectId, 'project');
    if (project.status !== 'active') throw invalid('Only active projects can be exported.');
    const zip = await ZipWriter.create(this.#task.path);
    try {
      const trackers = await this.#trackersOf(project);
      this.#repositories = await this.#repositoriesOf(project);
      if (this.#task.trackerId === undefined)
        this.#warnings.push(...(await projectLosses(database, project)));
      this.#warnings.push(...repositoryLosses(this.#repositories));
      await zip.addXml(projectFile, (out) => this.#writeProject(out, project, trackers));
      await zip.addXml(usersFile, async (out) => this.#writeUsers(out));
      if (this.#task.mode === 'all') {
        await this.#addFiles(zip, trackers);
        await addDumps(zip, this.#source, project, this.#repositories);
      }
      const leftOut = this.#warnings.map((words) => `${words}\n`).join('');
      if (leftOut !== '') await zip.add(leftOutFile, Readable.from([Buffer.from(leftOut)]));
      await zip.finish();
    } catch (error) {
      await zip.abandon();
      throw error;
    }
    return { counts: Object.fromEntries(this.#counts), warnings: this.#warnings };
  }

  async #writeProject(out: XmlWriter, project: Project, trackers: readonly Tracker[]): Promise<void> {
    const { database } = this.#source;
    const { mode } = this.#task;
    out.begin('project', projectAttributes(project));
    out.element(element('long-description'));
    for (const banner of await bannerElements(database, project)) out.element(banner);
    // Without any listed, those of a project that the tracker is imported into stay as they are.
    const isWhole = this.#task.trackerId === undefined;
    out.element(isWhole ? await servicesElement(database, project) : element('services'));
    out.element(await groupsElement(database, project, mode, this.#references));
    await this.#writeTrackers(out, trackers);
    if (this.#repositories.length > 0) out.element(svnElement(this.#repositories));
    out.element(await naturesElement(database, project, this.#linkTypes));
    this.#warnings.push(...(await linkTypeLosses(database, project, this.#linkTypes)));
    out.end();
  }

  /** A structure has no history, and a tracker no repositories. */
  async #repositoriesOf(project: Project): Promise<readonly ExportedRepository[]> {
    const { mode, trackerId } = this.#task;
    const isWhole = mode === 'all' && trackerId === undefined;
    const repositories = isWhole ? await repositoriesOf(this.#source, project) : [];
    if (repositories.length === 0 || (await hasSubversion(this.#source))) {
      if (repositories.length > 0) this.#count('repositories', repositories.length);
      return repositories;
    }
    this.#warnings.push(`Subversion is not installed: ${repositories.length} repositories are left out.`);
    return [];
  }

  async #trackersOf({ id }: Project): Promise<Tracker[]> {
    const database: Reader = this.#source.database;
    const { trackerId } = this.#task;
    const query = database.sql.selectFrom('tracker').select('id').where('project_id', '=', id);
    const trackers: Tracker[] = [];
    for (const row of await database.all(query.where('deleted_at', 'is', null).orderBy('id'))) {
      if (trackerId !== undefined && row.id !== trackerId) continue;
      const tracker = await loadTracker(database, row.id);
      if (tracker !== undefined) trackers.push(trackerId === undefined ? tracker : untied(tracker));
    }
    return trackers;
  }

  async #writeTrackers(out: XmlWriter, trackers: readonly Tracker[]): Promise<void> {
    const linkable = new Set(trackers.map(({ id }) => id));
    out.begin('trackers', { 'use-natures': 'true' });
    for (const [place, tracker] of trackers.entries()) {
      this.#task.tell?.({ stage: `Tracker ${tracker.name}`, done: place, total: trackers.length });
      const reports = await loadPublicReports(this.#source.database, tracker.id);
      this.#warnings.push(...rendererLosses(reports, tracker), ...ruleLosses(tracker));
      const whole = await trackerElement(tracker, this.#references, reports);
      const { attributes, children } = this.#task.mode === 'all' ? whole : withoutPeople(whole);
      out.begin('tracker', attributes);
      for (const child of children) out.element(child);
      if (this.#task.mode === 'all')
        this.#count('artifacts', await this.#writeArtifacts(out, tracker, linkable));
      out.end();
    }
    this.#count('trackers', trackers.length);
    out.element(triggersElement(trackers));
    out.end();
  }

  #writeArtifacts(out: XmlWriter, tracker: Tracker, linkable: ReadonlySet<number>): Promise<number> {
    const scope = {
      ...{ references: this.#references, linkable, linkTypes: this.#linkTypes },
      ...{ hasRemovedFiles: false, isForElsewhere: true },
    };
    return writeArtifacts(out, this.#source.database, tracker, scope);
  }

  async #addFiles(zip: ZipWriter, trackers: readonly Tracker[]): Promise<void> {
    const { database, keeper } = this.#source;
    for (const { id } of trackers) {
      this.#task.tell?.({ stage: 'Files', done: this.#counts.get('files') ?? 0, total: 0 });
      this.#count('files', await addFiles(zip, database, keeper.blobs, attachedFiles(database, id)));
    }
  }

  #count(what: string, number: number): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + number);
  }

  #writeUsers(out: XmlWriter): void {
    out.begin('users');
    const users = this.#task.mode === 'all' ? usersElements(this.#references) : [];
    for (const user of users) out.element(user);
    out.end();
    this.#count('users', users.length);
  }
}

/** A tracker without what is said of it in terms of other trackers. */
function untied(tracker: Tracker): Tracker {
  const { timeframe, ...semantics } = tracker.semantics;
  const isOwn = timeframe !== undefined && !('impliedFromTrackerId' in timeframe);
  return {
    ...tracker,
    parentId: null,
    semantics: isOwn ? { ...semantics, timeframe } : semantics,
    triggers: { ...tracker.triggers, own: [] },
  };
}

/** A structure names nobody: lists of people have no defaults in it. */
function withoutPeople(element: XmlElement): XmlElement {
  const isPerson = ({ name, attributes }: XmlElement) => name === 'value' && 'format' in attributes;
  const children =
    element.name === 'default_values' ? element.children.filter((one) => !isPerson(one)) : element.children;
  return { ...element, children: children.map(withoutPeople) };
}

/** Writes a project into a zip file. What throws leaves none. */
export function exportProject(source: ExportSource, viewer: Viewer, task: ExportTask): Promise<ExportReport> {
  return new ProjectExport(source, viewer, task).run();
}
