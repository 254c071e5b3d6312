import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { ExportMode } from '../archive/index.ts';
import { trackerIdOf } from './address.ts';
import type { CommandAnswer } from './answer.ts';
import { declareAnswer, nonEmpty, onInstance } from './command.ts';
import { writeWhole } from './draft.ts';
import { CommandFault } from './faults.ts';
import type { Instance } from './instance.ts';
import { ProgressLine } from './progress.ts';

interface ExportOptions {
  readonly out: string;
  readonly mode: ExportMode;
  readonly tracker?: string;
}

export function declare(command: Command): void {
  declareAnswer(
    command,
    'Export a project as a zip file that can be imported again, here or elsewhere.',
    'export garden --out garden.zip',
    'export garden --out garden-template.zip --mode structure',
    'export garden --out chores.zip --tracker chore',
  );
  command
    .argument('<project>', 'short name or id of the project')
    .requiredOption('--out <file>', 'the zip file to write; it must not be there yet', nonEmpty)
    .addOption(
      new Option('--mode <mode>', 'all, or only what a template needs')
        .choices(['all', 'structure'])
        .default('all'),
    )
    .option('--tracker <shortname>', 'only this tracker, with what is in it, and no repositories', nonEmpty)
    .action(onInstance(exportProject, { onlyReads: true }));
}

async function exportProject(
  instance: Instance,
  name: string,
  { out, mode, tracker }: ExportOptions,
): Promise<CommandAnswer> {
  const { exportProject: write, projectCalled } = await import('../archive/index.ts');
  const { database, viewer } = instance;
  const project = await projectCalled(database, viewer, name);
  if (project === undefined) throw new CommandFault(`There is no project ${name}.`);
  const trackerId =
    tracker === undefined
      ? undefined
      : await trackerIdOf(instance, { project: project.shortname, itemName: tracker });
  const archiveDeps = instance.openArchiveDeps();
  const line = new ProgressLine();
  const path = resolve(out);
  if (!existsSync(dirname(path))) throw new CommandFault(`There is no folder ${dirname(path)}.`);
  const tell = (progress: { stage: string; done: number; total: number }) => line.show(progress);
  const task = { projectId: project.id, mode, trackerId, tell };
  const report = await writeWhole(path, (draft) =>
    write(archiveDeps, viewer, { ...task, path: draft }),
  ).finally(() => line.clear());
  const counts = Object.entries(report.counts).map(([what, count]) => `  ${what.padEnd(16)}${count}`);
  const warnings = report.warnings.map((text) => `  ${text}`);
  const what = tracker === undefined ? 'The project' : `The tracker ${tracker} of`;
  const words = [`${what} ${project.shortname} is in ${path}`, ...counts, ...warnings].join('\n');
  return { data: { file: path, ...report }, words };
}
