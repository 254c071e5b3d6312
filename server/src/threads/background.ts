import { type ArchiveDeps, DeletedArtifacts } from '../archive/index.ts';
import { TotalsKeeper } from '../artifacts/index.ts';
import { second } from '../kernel/clock.ts';
import { createLog } from '../log.ts';
import { loadedShowing, Mailer, Notifier } from '../notify/index.ts';
import { projectExtensions as extensions } from '../operations.ts';
import { IndexKeeper } from '../search/index.ts';
import { BlobKeeper, openBlobs } from '../storage/index.ts';
import { CommitRegister, DeletedRepositories, svnDepsOn } from '../svn/index.ts';
import { connectionGauges, keepTelling, metricsOf } from './counting.ts';
import { JobRunner } from './job-runner.ts';
import { type JobDeps, jobs } from './jobs.ts';
import { letOthersFirst } from './priority.ts';
import { databaseOf, Lines, operationsOf, platformOf, threadOf } from './setup.ts';

/** Does work that nobody waits for. */
export const run = threadOf(async (setup, control) => {
  // Nobody waits for it; whoever does wait is not to wait for it.
  letOthersFirst();
  const platform = platformOf();
  const { trackers } = platform;
  const database = await databaseOf(setup);
  const lines = new Lines(database);
  const operations = operationsOf(setup, platform, database, lines);
  const keeper = new BlobKeeper(openBlobs(setup.config), database, operations);
  const archive = new DeletedArtifacts(database, trackers, keeper.blobs, setup.config.dataFolder);
  const svnDeps = svnDepsOn(setup.config, database, operations);
  const deletedRepositories = new DeletedRepositories(svnDeps, setup.config.dataFolder);
  const log = createLog(setup.config.logLevel, 'background');
  const metrics = metricsOf('background', setup);
  const archiveDeps: ArchiveDeps = {
    database,
    operations,
    keeper,
    trackers,
    extensions,
    config: setup.config,
  };

  const { config, publicUrl } = setup;
  const mailer = config.mail && (await Mailer.open(config.mail, publicUrl));

  const commits = new CommitRegister(database, () => svnDeps.svnWorkspace);
  const notifier = new Notifier({
    database,
    trackers,
    operations,
    publicUrl,
    log,
    metrics,
    mailer,
    showing: loadedShowing(publicUrl),
    commits,
  });

  const stopTelling = keepTelling(metrics, () => ({
    writerQueue: lines.writer.length,
    ...connectionGauges(database),
  }));

  const deps: JobDeps = {
    ...{ database, operations, keeper, archive, svnDeps, deletedRepositories, archiveDeps, notifier, config },
    totals: new TotalsKeeper(database, trackers, operations),
    index: new IndexKeeper({ database, trackers, operations }),
    log,
    metrics,
    wake: (name) => runner.wake(name),
  };
  const runner = new JobRunner(jobs, deps, { database, operations, log, metrics });
  runner.start();

  /** A run that ends by itself is waited for, in a small part of the time that the whole service has for its stop. */
  const stopPatience = Math.min(2, config.stopSeconds / 4) * second;

  async function stop(): Promise<void> {
    await runner.stop(stopPatience);
    mailer?.close();
    stopTelling();
    await database.close();
  }
  control.obey({ line: (line) => lines.lay(line), stop });
  control.report('ready');
});
