import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ImportReport, importFromPath, type Workshop } from '../src/archive/index.ts';
import { readConfig } from '../src/kernel/config.ts';
import { commandLineViewer } from '../src/kernel/viewer.ts';
import { projectExtensions as extensions, operations, trackers } from '../src/operations.ts';
import { BlobKeeper, type Database, openBlobs, openDatabase, operationsOn } from '../src/storage/index.ts';
import type { Instance } from './harness/atelier.ts';

/** Somebody in `users.xml`. */
export interface ArchivedUser {
  readonly username: string;
  readonly email?: string;
  readonly ldapId?: string;
}

export const usersXml = (users: readonly ArchivedUser[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<users>
${users
  .map(
    ({ username, email = `${username}@example.com`, ldapId = '' }, index) =>
      `  <user><id>${900 + index}</id><username>${username}</username><realname>${username} Roe</realname>` +
      `<email>${email}</email><ldapid>${ldapId}</ldapid></user>`,
  )
  .join('\n')}
</users>
`;

export const projectXml = (shortname: string, content = '', more = 'access="private"') =>
  `<?xml version="1.0" encoding="UTF-8"?>
<project unix-name="${shortname}" full-name="Project ${shortname}" description="About ${shortname}" ${more}>
  <long-description/>
  ${content.includes('<services') ? '' : '<services/>'}
  ${content}
</project>
`;

export const groupXml = (name: string, ...members: string[]) =>
  `<ugroup name="${name}" description="${name} of the archive"><members>${members
    .map((member) => `<member format="username">${member}</member>`)
    .join('')}</members></ugroup>`;

/** A tracker with a title and a state, and one artifact for each title. */
export function trackerXml(
  id: string,
  itemName: string,
  titles: readonly string[] = [],
  by = 'None',
): string {
  const permissions = ['READ', 'SUBMIT', 'UPDATE'].flatMap((type) =>
    ['F1', 'F2'].map(
      (field) =>
        `<permission scope="field" REF="${id}${field}" ugroup="UGROUP_${type === 'READ' ? 'ANONYMOUS' : 'PROJECT_MEMBERS'}" type="PLUGIN_TRACKER_FIELD_${type}"/>`,
    ),
  );
  const artifacts = titles.map(
    (title, index) => `<artifact id="${idOf(id) * 1_000_000 + index}"><changeset>
      <submitted_by format="username">${by}</submitted_by>
      <submitted_on format="ISO8601">2024-05-01T10:00:00+02:00</submitted_on><comments/>
      <field_change field_name="title" type="string"><value>${title}</value></field_change>
      <field_change field_name="state" type="list" bind="static"><value format="id">${id}open</value></field_change>
    </changeset></artifact>`,
  );
  return `<tracker id="${id}" parent_id="0">
    <name>Tracker ${itemName}</name><item_name>${itemName}</item_name><description/><color>deep-blue</color><cannedResponses/>
    <formElements>
      <formElement type="string" ID="${id}F1" rank="0"><name>title</name><label>Title</label></formElement>
      <formElement type="sb" ID="${id}F2" rank="1"><name>state</name><label>State</label>
        <bind type="static" is_rank_alpha="0"><items>
          <item ID="${id}open" label="Open" is_hidden="0"/><item ID="${id}done" label="Done" is_hidden="0"/>
        </items></bind></formElement>
    </formElements>
    <semantics><semantic type="title"><field REF="${id}F1"/></semantic></semantics>
    <permissions>${permissions.join('')}</permissions>
    <artifacts>${artifacts.join('\n')}</artifacts>
  </tracker>`;
}

const idOf = (id: string) => Number(id.replace(/\D/g, ''));

export const trackersXml = (...trackers: string[]) =>
  `<trackers use-natures="true">${trackers.join('\n')}<triggers/></trackers>`;

/** A folder for archives that goes with the test. */
export class ArchiveShelf {
  readonly folder = mkdtempSync(join(tmpdir(), 'atelier-archives-'));
  #last = 0;

  /** Puts an archive there, by its files; gives its path. */
  add(files: Readonly<Record<string, string | Uint8Array>>): string {
    const archive = join(this.folder, String(++this.#last));
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(archive, name)), { recursive: true });
      writeFileSync(join(archive, name), content);
    }
    return archive;
  }

  /** A path where nothing is yet. */
  free(name: string): string {
    return join(this.folder, `${++this.#last}-${name}`);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

type Wish = Parameters<typeof importFromPath>[2];

/** Imports and exports beside a running server, as the command line does, without a process for each. */
export class ArchiveBench {
  readonly database: Database;
  readonly workshop: Workshop;
  readonly viewer = commandLineViewer('anonymous');

  private constructor(database: Database, environment: Instance['environment']) {
    const config = readConfig(environment);
    const calls = operationsOn(database, operations);
    const keeper = new BlobKeeper(openBlobs(config), database, calls);
    this.database = database;
    this.workshop = { database, operations: calls, keeper, trackers, extensions, config };
  }

  static async open({ environment, folder }: Instance): Promise<ArchiveBench> {
    const databaseUrl = environment['ATELIER_DATABASE_URL'];
    const database = await openDatabase({ folder, databaseUrl, connections: 2, lockPatience: 10_000 });
    return new ArchiveBench(database, environment);
  }

  import(path: string, options: Wish['options'] = {}): Promise<ImportReport> {
    return importFromPath(this.workshop, this.viewer, { path, importer: undefined, options, tell: () => {} });
  }

  close(): Promise<void> {
    return this.database.close();
  }
}
