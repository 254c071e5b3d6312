import type { Command } from 'commander';
import { type CommandAnswer, table } from './answer.ts';
import { declareCommand, onInstance } from './command.ts';
import { CommandFault } from './faults.ts';
import type { Instance } from './instance.ts';

export function declare(group: Command): void {
  group.description('Settings of the platform that can be changed while it runs.');
  declareCommand(group, 'list', 'List every setting with its value.', 'config list').action(
    onInstance(listSettings),
  );
  declareCommand(group, 'get', 'Print the value of a setting.', 'config get access_mode')
    .argument('<key>', 'name of the setting')
    .action(onInstance(getSetting));
  declareCommand(
    group,
    'set',
    'Change a setting. A service that runs goes by it from its next request on.',
    'config set access_mode regular',
  )
    .argument('<key>', 'name of the setting')
    .argument('<value>', 'its new value')
    .action(onInstance(setSetting));
}

async function settingNamed({ database, viewer, identity }: Instance, key: string) {
  const settings = await identity.describeSettings(database, viewer);
  const setting = settings.find(({ name }) => name === key);
  if (setting !== undefined) return setting;
  const known = settings.map(({ name }) => name).join(', ');
  throw new CommandFault(`There is no setting ${key}. There are: ${known}.`);
}

async function listSettings({ database, viewer, identity }: Instance): Promise<CommandAnswer> {
  const settings = await identity.describeSettings(database, viewer);
  const rows = settings.map(({ name, value, default: byDefault, description }) => [
    name,
    String(value),
    String(byDefault),
    description,
  ]);
  return { data: settings, words: table(['NAME', 'VALUE', 'DEFAULT', 'WHAT IT DOES'], rows) };
}

async function getSetting(instance: Instance, key: string): Promise<CommandAnswer> {
  const setting = await settingNamed(instance, key);
  return { data: setting, words: String(setting.value) };
}

async function setSetting(instance: Instance, key: string, value: string): Promise<CommandAnswer> {
  await instance.operations.changeSettings(instance.viewer, { [key]: value });
  const setting = await settingNamed(instance, key);
  return {
    data: setting,
    words: `${setting.name} is now ${setting.value === '' ? 'empty' : setting.value}.`,
  };
}
