import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { machineFacts } from '../machine.ts';
import { writeResults } from '../report/results.ts';
import { keepingSections } from '../report/sections.ts';
import { documentOf } from './document.ts';
import { measureGrowth, type SizeFigures } from './growth.ts';
import { readGrowthOptions } from './options.ts';

export async function runGrowthBench(args: string[]): Promise<void> {
  const options = readGrowthOptions(args);
  const figures: SizeFigures[] = [];
  for await (const ofSize of measureGrowth(options)) figures.push(ofSize);
  const machine = machineFacts();
  const { text, pictures } = documentOf(figures, machine);
  console.log(text);
  if (options.out !== undefined) {
    const folder = join(dirname(options.out), 'pictures');
    mkdirSync(folder, { recursive: true });
    for (const [name, picture] of pictures) writeFileSync(join(folder, name), picture);
    writeFileSync(options.out, keepingSections(text, options.out));
  }
  console.log(`Results: ${writeResults({ machine, growth: figures })}`);
}
