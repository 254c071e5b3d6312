import { invalid } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { element } from '../../kernel/xml.ts';
import { type Project, requireProject } from '../../projects/index.ts';
import { AccountReferences } from '../people.ts';
import type { XmlWriter } from '../xml-writer.ts';
import { ZipWriter } from '../zip-writer.ts';
import { projectFile, usersFile } from './draft.ts';
import {
  bannerElements,
  type ExportMode,
  groupsElement,
  naturesElement,
  projectAttributes,
  servicesElement,
  usersElements,
} from './exported.ts';
import type { Progress } from './records.ts';
import type { Workshop } from './workshop.ts';

export interface ExportTask {
  readonly projectId: number;
  readonly mode: ExportMode;
  /** The zip file to write, which must not be there yet. */
  readonly path: string;
  readonly tell?: ((progress: Progress) => void) | undefined;
}

export interface ExportReport {
  readonly counts: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

/** What exports read with. */
export type ExportSource = Pick<Workshop, 'database' | 'keeper' | 'trackers'>;

/** One export, from the project to its last file. */
class ProjectExport {
  readonly #source: ExportSource;
  readonly #viewer: Viewer;
  readonly #task: ExportTask;
  readonly #references: AccountReferences;
  readonly #counts = new Map<string, number>();

  constructor(source: ExportSource, viewer: Viewer, task: ExportTask) {
    this.#source = source;
    this.#viewer = viewer;
    this.#task = task;
    this.#references = new AccountReferences(source.database);
  }

  async run(): Promise<ExportReport> {
    const { database } = this.#source;
    const project = await requireProject(database, this.#viewer, this.#task.projectId, 'A');
    if (project.status !== 'active') throw invalid('Only active projects can be exported.');
    const zip = await ZipWriter.create(this.#task.path);
    try {
      await zip.addXml(projectFile, (out) => this.#writeProject(out, project));
      await zip.addXml(usersFile, async (out) => this.#writeUsers(out));
      await zip.finish();
    } catch (error) {
      await zip.abandon();
      throw error;
    }
    return { counts: Object.fromEntries(this.#counts), warnings: [] };
  }

  async #writeProject(out: XmlWriter, project: Project): Promise<void> {
    const { database } = this.#source;
    const { mode } = this.#task;
    out.begin('project', projectAttributes(project));
    out.element(element('long-description'));
    for (const banner of await bannerElements(database, project)) out.element(banner);
    out.element(await servicesElement(database, this.#viewer, project));
    out.element(await groupsElement(database, project, mode, this.#references));
    out.element(await naturesElement(database, project));
    out.end();
  }

  #writeUsers(out: XmlWriter): void {
    out.begin('users');
    // The structure names people in defaults of lists, which nobody needs elsewhere.
    for (const user of usersElements(this.#references)) out.element(user);
    out.end();
    this.#counts.set('users', this.#references.written.length);
  }
}

/** Writes a project into a zip file. What throws leaves none. */
export function exportProject(source: ExportSource, viewer: Viewer, task: ExportTask): Promise<ExportReport> {
  return new ProjectExport(source, viewer, task).run();
}
