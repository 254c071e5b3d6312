import type { Command } from 'commander';
import { type Config, ConfigError } from '../kernel/config.ts';
import { type Answer, table } from './answer.ts';
import { type CommonOptions, configOf, finish, withExamples, withJson } from './command.ts';
import { checkDataFolder } from './doctor/data-folder.ts';
import type { Finding } from './doctor/finding.ts';
import { checkMail } from './doctor/mail.ts';
import { checkNode } from './doctor/node.ts';
import { checkSubversion } from './doctor/subversion.ts';

export function declare(command: Command): void {
  withExamples(withJson(command), 'doctor', 'doctor --json').description(
    'Check the configuration, the data folder, the database and the programs that Atelier works with. ' +
      'Nothing is changed. The exit code is 1 when there is a problem.',
  );
  command.action(async () => {
    const options = command.optsWithGlobals<CommonOptions>();
    finish(answerOf(await examine(options)), options);
  });
}

function checkConfiguration(options: CommonOptions): { config?: Config; findings: Finding[] } {
  const about = 'configuration';
  try {
    return {
      config: configOf(options),
      findings: [{ about, state: 'ok', says: 'The environment is valid.' }],
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.faults.map((says): Finding => ({ about, state: 'problem', says }));
    return { findings };
  }
}

async function checkInstance(config: Config): Promise<Finding[]> {
  const { checkDatabase } = await import('./doctor/database.ts');
  return [...(await checkDataFolder(config.dataFolder)), await checkDatabase(config)];
}

async function examine(options: CommonOptions): Promise<Finding[]> {
  const { config, findings } = checkConfiguration(options);
  return [
    checkNode(),
    ...findings,
    ...(config === undefined ? [] : await checkInstance(config)),
    await checkSubversion(),
    await checkMail(process.env['ATELIER_SMTP_URL']),
  ];
}

function answerOf(findings: readonly Finding[]): Answer {
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
