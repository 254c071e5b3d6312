/*
 * `atelier doctor`: looks at everything that the platform rests on and changes nothing. The looks are those of
 * the room health; node.ts is the one that nothing else needs.
 */

import type { Command } from 'commander';
import type { HealthFinding } from '../../health/index.ts';
import { type Config, ConfigError, svnPlacesIn } from '../../kernel/config.ts';
import { type CommandAnswer, table } from '../answer.ts';
import { type CommonOptions, configOf, finish, withExamples, withJson } from '../command.ts';
import { environmentFaults } from '../environment.ts';
import { checkNode } from './node.ts';

interface DoctorOptions extends CommonOptions {
  readonly verifyBlobs?: boolean;
}

export function declare(command: Command): void {
  withExamples(withJson(command), 'doctor', 'doctor --json', 'doctor --verify-blobs').description(
    'Check the configuration, the data folder, the database, the place of files, repositories, archives of what was deleted and the programs that Atelier ' +
      'works with. Nothing is changed. The exit code is 1 when there is a problem.',
  );
  command.option('--verify-blobs', 'read the bytes of every file, to find missing and damaged ones');
  command.action(async () => {
    const options = command.optsWithGlobals<DoctorOptions>();
    finish(answerOf(await examine(options)), options);
  });
}

function checkConfiguration(options: CommonOptions): { config?: Config; findings: HealthFinding[] } {
  const about = 'configuration';
  try {
    const config = configOf(options);
    const faults = environmentFaults(process.env).map(
      (says): HealthFinding => ({ about, state: 'warning', says }),
    );
    const valid: HealthFinding = { about, state: 'ok', says: 'The environment is valid.' };
    return { config, findings: faults.length === 0 ? [valid] : faults };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.faults.map((says): HealthFinding => ({ about, state: 'problem', says }));
    return { findings };
  }
}

const notVerified: HealthFinding = {
  about: 'files',
  state: 'warning',
  says: 'They were not verified, because the database is not ready.',
};

const nothingSaid = () => Promise.resolve(undefined);

/** What an instance rests on. */
interface InstanceFindings {
  readonly findings: readonly HealthFinding[];
  /** What the mail server said to mails that wait in it. */
  readonly mailRefusal: () => Promise<string | undefined>;
}

async function checkInstance(
  config: Config,
  { verifyBlobs: isThorough }: DoctorOptions,
): Promise<InstanceFindings> {
  const {
    checkBackupFolder,
    checkDatabase,
    checkDataFolder,
    checkFilePlace,
    checkKeptThings,
    checkLastBackup,
    checkReplicas,
    readMailRefusal,
    verifyBlobs,
  } = await import('../../health/index.ts');
  const database = await checkDatabase(config);
  // What there should be is in the database.
  const isReady = database.state === 'ok';
  const findings = [
    ...(await checkDataFolder(config.dataFolder)),
    database,
    ...(await checkReplicas(config)),
    await checkFilePlace(config),
    ...(isReady ? await checkKeptThings(config) : []),
    ...(await checkBackupFolder(config)),
    ...(isReady ? [await checkLastBackup(config)] : []),
    ...(isThorough !== true ? [] : isReady ? await verifyBlobs(config) : [notVerified]),
  ];
  return { findings, mailRefusal: isReady ? () => readMailRefusal(config) : nothingSaid };
}

async function examine(options: DoctorOptions): Promise<HealthFinding[]> {
  const { config, findings } = checkConfiguration(options);
  const { checkMail, checkSubversion, checkWeb } = await import('../../health/index.ts');
  const instance = config === undefined ? undefined : await checkInstance(config, options);
  return [
    checkNode(),
    ...findings,
    ...(instance?.findings ?? []),
    ...(config === undefined ? [] : [checkWeb(config.hasWeb)]),
    await checkSubversion(svnPlacesIn(process.env), config?.svnUser),
    await checkMail(process.env['ATELIER_SMTP_URL'], instance?.mailRefusal ?? nothingSaid),
  ];
}

function answerOf(findings: readonly HealthFinding[]): CommandAnswer {
  const isProblem = findings.some(({ state }) => state === 'problem');
  const rows = findings.map(({ state, about, says, advice }) => [
    state,
    about,
    advice === undefined ? says : `${says} ${advice}`,
  ]);
  return {
    data: { healthy: !isProblem, checks: findings },
    words: table(['STATE', 'CHECK', 'FINDING'], rows),
    isProblem,
  };
}
