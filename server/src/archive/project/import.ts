import type { ArchiveLimits } from '../../kernel/archive-limits.ts';
import { holderHere } from '../../kernel/holder.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { discardRepositories } from '../../svn/index.ts';
import { ArtifactImport } from '../artifact-import.ts';
import type { Archive } from '../model.ts';
import type { ArchivedPeople } from '../people.ts';
import type { ImportedTracker } from '../tracker-import.ts';
import { later, weeksSince } from './dates.ts';
import { type ArchiveDeps, discardImport, idsFileOf } from './deps.ts';
import { type Look, lookAt } from './look.ts';
import { isSystemGroup, membershipsOf } from './memberships.ts';
import type { Begun, PromisedAccount } from './publish.ts';
import { readArchivedArtifacts } from './read.ts';
import { cancellation, type ImportProgress, signPause } from './records.ts';
import { type ImportReport, Reporter } from './report.ts';
import { forgetRepositories, keepRepositories, repositoryFolder } from './repositories.ts';
import { hasSubversion, loadRepositories, svnDepsIn } from './repositories-in.ts';
import type { ImportOptions } from './requests.ts';
import { resolved, type SettledPeople, settle, tablesOf } from './settled-people.ts';
import { inImportOrder, keyOf, parentsIn } from './tracker-order.ts';

/** An archive to be imported, and how. */
export interface ImportTask {
  readonly archive: Archive;
  /** What it may have. */
  readonly limits: ArchiveLimits;
  readonly fileName: string;
  /** Who administers the project unless the archive names others. */
  readonly importerId: number;
  readonly requestedBy: number;
  /** What was written down when somebody asked for it. */
  readonly importId: number | undefined;
  readonly options: ImportOptions;
  readonly tell: (progress: ImportProgress) => void;
}

/** One import, from the look at the archive to the moment when everybody sees the project. */
class ProjectImport {
  readonly #archiveDeps: ArchiveDeps;
  readonly #viewer: Viewer;
  readonly #task: ImportTask;
  readonly #reporter = new Reporter();
  #progress: ImportProgress = { stage: 'Looking at the archive', done: 0, total: 0 };
  /** Until somebody cancels it. */
  #isWanted = true;

  constructor(archiveDeps: ArchiveDeps, viewer: Viewer, task: ImportTask) {
    this.#archiveDeps = archiveDeps;
    this.#viewer = viewer;
    this.#task = task;
  }

  #tell(stage: string, done = 0, total = 0): void {
    this.#progress = { stage, done, total };
    this.#task.tell(this.#progress);
  }

  async run(): Promise<ImportReport> {
    const { archive, options, limits } = this.#task;
    const { database } = this.#archiveDeps;
    this.#tell('Looking at the archive');
    const look = await lookAt(database, this.#viewer, archive, options, limits, this.#reporter.warn);
    if (options.isDryRun) return this.#foretell(look);
    const begun = await this.#begin(look);
    if (!options.reserved)
      this.#reporter.listIdsIn(idsFileOf(this.#archiveDeps.config.dataFolder, begun.importId));
    const sign = () => {
      const { importId: id } = begun;
      this.#archiveDeps.operations.signImport(this.#viewer, { id, progress: this.#progress }).then(
        (isWanted) => {
          this.#isWanted = isWanted;
        },
        () => {},
      );
    };
    sign();
    const signs = setInterval(sign, signPause);
    try {
      return await this.#fill(look, begun);
    } catch (error) {
      this.#tell('Removing what was begun');
      await this.#reporter.close().catch(() => {});
      await discardImport(this.#archiveDeps, begun.importId, error);
      throw error;
    } finally {
      clearInterval(signs);
    }
  }

  /** What an import would do. */
  #foretell({ people, shortname, project, trackers, survey, into }: Look): ImportReport {
    this.#reporter.count('groups', project.groups.filter(({ name }) => !isSystemGroup(name)).length);
    this.#reporter.count('trackers', trackers.length);
    this.#reporter.count('artifacts', survey.count);
    const users = people.map(({ user, account }) => ({
      username: user.username,
      account: account?.name ?? user.username,
      id: account?.id ?? 0,
      is_created: account === undefined,
    }));
    return this.#reporter.report({ id: into?.id ?? 0, shortname }, users);
  }

  #begin(look: Look): Promise<Begun> {
    const { project, shortname, access, people, into } = look;
    const { options, importId, requestedBy, fileName } = this.#task;
    return this.#archiveDeps.operations.beginImport(this.#viewer, {
      ...{ importId, requestedBy, fileName, holder: holderHere },
      projectId: options.reserved?.projectId,
      into: into?.id,
      project: {
        // What goes into a project that is there waits in one whose name nobody can want.
        shortname: into === undefined ? shortname : `${into.shortname}#${crypto.randomUUID()}`,
        label: project.label,
        description: project.description,
        access,
        icon: project.icon,
        banner: project.banner,
        isTemplate: options.isTemplate ?? false,
        isSynchronised: project.isSynchronised,
      },
      services: project.services,
      groups: project.groups.filter(({ name }) => !isSystemGroup(name)),
      accounts: people.filter(({ account }) => account === undefined).length,
    });
  }

  async #fill(look: Look, begun: Begun): Promise<ImportReport> {
    const { promised, settled } = settle(look.people, begun.accountIds);
    const people = tablesOf(settled, look.byEmail);
    await this.#reporter.note('group', Object.entries(begun.groups));
    const trackers = await this.#importTrackers(look, begun, people);
    await this.#importArtifacts(look, begun, people, trackers);
    await this.#tieTrackers(look, trackers);
    this.#tell('Finishing');
    const folder = repositoryFolder(this.#archiveDeps.config.dataFolder, begun.projectId);
    const owner = { projectId: look.into?.id ?? begun.projectId, importId: begun.importId };
    await keepRepositories(this.#task.archive, folder, owner, look.project.repositories);
    const repositoryIds = await this.#loadRepositories(look, owner.projectId, folder);
    await this.#reporter.close();
    try {
      const report = await this.#publish(look, begun, { settled, promised, repositoryIds });
      if (repositoryIds.length > 0) await forgetRepositories(folder);
      return report;
    } catch (error) {
      await discardRepositories(svnDepsIn(this.#archiveDeps), this.#viewer, repositoryIds);
      throw error;
    }
  }

  /** Where Subversion is not there they wait for it. */
  async #loadRepositories(look: Look, projectId: number, folder: string): Promise<number[]> {
    const { length } = look.project.repositories;
    if (length === 0) return [];
    if (!(await hasSubversion(this.#archiveDeps))) {
      this.#reporter.count('repositories_kept', length);
      return [];
    }
    this.#tell('Repositories', 0, length);
    const project = { id: projectId, access: look.into?.access ?? look.access };
    const svnDeps = svnDepsIn(this.#archiveDeps);
    const ids = await loadRepositories(svnDeps, this.#viewer, project, folder, this.#reporter.warn);
    this.#reporter.count('repositories', ids.length);
    return ids;
  }

  /** Tracker after tracker, each in a transaction of its own; gives what became of them by their keys. */
  async #importTrackers(look: Look, begun: Begun, people: ArchivedPeople): Promise<ImportedTrackers> {
    const { operations } = this.#archiveDeps;
    const { projectId, others: groups } = begun;
    const made: Record<string, ImportedTracker> = {};
    const trackerIds: Record<string, number> = {};
    const { trackers } = look;
    for (const [place, element] of inImportOrder(trackers).entries()) {
      this.#tell('Trackers', place, trackers.length);
      const tracker = await operations.importTracker(this.#viewer, {
        ...{ projectId, element, people, trackerIds, groups },
      });
      const key = keyOf(element);
      made[key] = tracker;
      trackerIds[key] = tracker.id;
      for (const warning of tracker.warnings) this.#reporter.warn(warning);
      await this.#reporter.note('tracker', [[key, tracker.id]]);
      await this.#reporter.note('field', Object.entries(tracker.fields));
      await this.#reporter.note('value', Object.entries(tracker.values));
    }
    return made;
  }

  async #importArtifacts(
    look: Look,
    { importId, others: groups }: Begun,
    people: ArchivedPeople,
    trackers: ImportedTrackers,
  ): Promise<void> {
    const { archive, options, limits } = this.#task;
    const { survey } = look;
    const places = inImportOrder(look.trackers).map((tracker) => look.trackers.indexOf(tracker));
    const artifacts = new ArtifactImport(this.#archiveDeps, this.#viewer, {
      ...{ archive, people, survey, groups, warn: this.#reporter.warn },
      trackers: new Map(
        look.trackers.flatMap((tracker, place) => {
          const made = trackers[keyOf(tracker)];
          return made === undefined ? [] : [[place, made] as const];
        }),
      ),
      largestFile: this.#archiveDeps.config.maxFileSize,
      note: (kind, ids) => this.#reporter.note(kind, ids),
    });
    const by = options.isFresh ? weeksSince(look.newest) : 0;
    try {
      await artifacts.begin(places);
      await readArchivedArtifacts(archive, limits, async (place, artifact) => {
        const unwanted = this.#isWanted
          ? undefined
          : await cancellation(this.#archiveDeps.database, importId);
        if (unwanted !== undefined) throw unwanted;
        await artifacts.add(place, by === 0 ? artifact : later(artifact, by));
        this.#tell('Artifacts', artifacts.counts.artifacts, survey.count);
      });
      await artifacts.finish();
    } catch (error) {
      await artifacts.abandon();
      throw error;
    }
  }

  /** Hierarchy and triggers, after the artifacts, so that nothing of it acts on them. */
  async #tieTrackers(look: Look, trackers: ImportedTrackers): Promise<void> {
    const parents = this.#hasHierarchy(look) ? parentsIn(look.trackers) : {};
    const lines = Object.fromEntries(look.trackers.map((tracker) => [keyOf(tracker), tracker.line]));
    const ties = { trackers, parents, lines, triggers: look.triggers };
    for (const warning of await this.#archiveDeps.operations.tieTrackers(this.#viewer, ties))
      this.#reporter.warn(warning);
  }

  #hasHierarchy({ project, trackers }: Look): boolean {
    const disabled = project.linkTypes.find(({ shortname, isUsed }) => shortname === '_is_child' && !isUsed);
    if (disabled !== undefined && Object.keys(parentsIn(trackers)).length > 0)
      this.#reporter.warn({
        code: 'skipped_element',
        place: 'project/natures/nature[_is_child]',
        line: disabled.line,
        text: 'Links to children are off in this project, so its trackers have no hierarchy.',
      });
    return disabled === undefined;
  }

  async #publish(
    look: Look,
    begun: Begun,
    {
      settled,
      promised,
      repositoryIds,
    }: {
      settled: SettledPeople;
      promised: readonly PromisedAccount[];
      repositoryIds: readonly number[];
    },
  ): Promise<ImportReport> {
    const { options, importerId } = this.#task;
    const { project, into } = look;
    const { members, groups } = membershipsOf(
      {
        // Of a group that the project has already nothing is taken over.
        groups: resolved(look, settled).filter(({ name }) => !Object.hasOwn(begun.others, name)),
        access: look.access,
        isSynchronised: project.isSynchronised,
        importerId: into === undefined ? importerId : undefined,
      },
      this.#reporter.warn,
    );
    const users = settled.map(({ user, account, isNew }) => ({
      ...{ username: user.username, account: account.name, id: account.id, is_created: isNew },
    }));
    const target = { id: into?.id ?? begun.projectId, shortname: look.shortname };
    const report = this.#reporter.report(target, users);
    await this.#archiveDeps.operations.publishImport(this.#viewer, {
      importId: begun.importId,
      projectId: begun.projectId,
      into: into?.id,
      status: options.reserved?.status ?? 'active',
      accounts: promised,
      passwordHash: options.passwordHash ?? null,
      members,
      groupMembers: [...groups].flatMap(([name, accounts]) => {
        const id = begun.groups[name];
        return id === undefined ? [] : [[id, accounts] as const];
      }),
      newLinkTypes: look.newLinkTypes,
      disabledLinkTypes: look.disabledLinkTypes,
      services: project.services,
      repositoryIds,
      report: JSON.stringify(report),
    });
    return report;
  }
}

type ImportedTrackers = Readonly<Record<string, ImportedTracker>>;

/** Imports an archive. What throws has left nothing behind. */
export function importArchive(
  archiveDeps: ArchiveDeps,
  viewer: Viewer,
  task: ImportTask,
): Promise<ImportReport> {
  return new ProjectImport(archiveDeps, viewer, task).run();
}
