/*
 * `atelier doctor`: looks at everything that the platform rests on and changes nothing. The looks are those of
 * the room health; node.ts is the one that nothing else needs.
 */

import type { Command } from 'commander';
import type { HealthFinding } from '../../health/index.ts';
import { type Config, ConfigError, svnPlacesIn } from '../../kernel/config.ts';
import { type CommandAnswer, table } from '../answer.ts';
import { type CommonOptions, configOf, finish, withExamples, withJson } from '../command.ts';
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
    return {
      config: configOf(options),
      findings: [{ about, state: 'ok', says: 'The environment is valid.' }],
    };
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

async function checkInstance(
  config: Config,
  { verifyBlobs: isThorough }: DoctorOptions,
): Promise<HealthFinding[]> {
  const {
    checkDatabase,
    checkDataFolder,
    checkFilePlace,
    checkKeptThings,
    checkLastBackup,
    checkReplicas,
    verifyBlobs,
  } = await import('../../health/index.ts');
  const database = await checkDatabase(config);
  // What there should be is in the database.
  const isReady = database.state === 'ok';
  return [
    ...(await checkDataFolder(config.dataFolder)),
    database,
    ...(await checkReplicas(config)),
    await checkFilePlace(config),
    ...(isReady ? await checkKeptThings(config) : []),
    ...(isReady ? [await checkLastBackup(config.dataFolder)] : []),
    ...(isThorough !== true ? [] : isReady ? await verifyBlobs(config) : [notVerified]),
  ];
}

async function examine(options: DoctorOptions): Promise<HealthFinding[]> {
  const { config, findings } = checkConfiguration(options);
  const { checkMail, checkSubversion, checkWeb } = await import('../../health/index.ts');
  return [
    checkNode(),
    ...findings,
    ...(config === undefined ? [] : await checkInstance(config, options)),
    ...(config === undefined ? [] : [checkWeb(config.hasWeb)]),
    await checkSubversion(svnPlacesIn(process.env)),
    await checkMail(process.env['ATELIER_SMTP_URL']),
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
