import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { ExportMode } from '../archive/index.ts';
import type { CommandAnswer } from './answer.ts';
import { declareAnswer, nonEmpty, onInstance } from './command.ts';
import { CommandFault } from './faults.ts';
import type { Instance } from './instance.ts';
import { ProgressLine } from './progress.ts';

interface ExportOptions {
  readonly out: string;
  readonly mode: ExportMode;
}

export function declare(command: Command): void {
  declareAnswer(
    command,
    'Export a project as a zip file that can be imported again, here or elsewhere.',
    'export garden --out garden.zip',
    'export garden --out garden-template.zip --mode structure',
  );
  command
    .argument('<project>', 'short name or id of the project')
    .requiredOption('--out <file>', 'the zip file to write; it must not be there yet', nonEmpty)
    .addOption(
      new Option('--mode <mode>', 'all, or only what a template needs')
        .choices(['all', 'structure'])
        .default('all'),
    )
    .action(onInstance(exportProject));
}

async function exportProject(
  instance: Instance,
  name: string,
  { out, mode }: ExportOptions,
): Promise<CommandAnswer> {
  const { exportProject: write, projectCalled } = await import('../archive/index.ts');
  const { database, viewer } = instance;
  const project = await projectCalled(database, viewer, name);
  if (project === undefined) throw new CommandFault(`There is no project ${name}.`);
  const archiveDeps = instance.openArchiveDeps();
  const line = new ProgressLine();
  const path = resolve(out);
  if (!existsSync(dirname(path))) throw new CommandFault(`There is no folder ${dirname(path)}.`);
  const tell = (progress: { stage: string; done: number; total: number }) => line.show(progress);
  const report = await write(archiveDeps, viewer, { projectId: project.id, mode, path, tell }).finally(() =>
    line.clear(),
  );
  const counts = Object.entries(report.counts).map(([what, count]) => `  ${what.padEnd(16)}${count}`);
  const warnings = report.warnings.map((text) => `  ${text}`);
  const words = [`The project ${project.shortname} is in ${path}`, ...counts, ...warnings].join('\n');
  return { data: { file: path, ...report }, words };
}
