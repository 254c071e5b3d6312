// Makes a migrated database of each engine with the first account in it, in the given folder, and ends.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, type FirstCredentials } from '../../src/bootstrap.ts';
import { HashLimiter, PasswordHasher } from '../../src/identity/index.ts';
import { migrate, openDatabase } from '../../src/storage/index.ts';
import { startPostgres } from './postgres.ts';
import { cheapHashing, postgresTemplate, type TemplateKeys } from './prepared.ts';

async function makeTemplate(folder: string, databaseUrl: string | undefined): Promise<string> {
  const database = await openDatabase({ folder, databaseUrl, connections: 2 });
  await migrate(database);
  const hasher = new PasswordHasher(cheapHashing, new HashLimiter(HashLimiter.createMemory(1)));
  let key: string | undefined;
  const show = async ({ accessKey }: FirstCredentials) => {
    key = accessKey;
  };
  await bootstrap(database, hasher, { show });
  await database.close();
  if (key === undefined) throw new Error('The template was not empty.');
  return key;
}

const [, , folder = ''] = process.argv;
const sqlite = join(folder, 'sqlite');
mkdirSync(sqlite);
const postgres = await startPostgres(folder);
await postgres.query(`create database ${postgresTemplate}`);
const keys: TemplateKeys = {
  sqlite: await makeTemplate(sqlite, undefined),
  postgres: await makeTemplate(sqlite, postgres.urlOf(postgresTemplate)),
};
await postgres.stop();
writeFileSync(join(folder, 'keys.json'), JSON.stringify(keys));
