import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const changesetsEach = 5;

const users = `<users><user><id>1</id><username>kim</username><realname>Kim Berg</realname><email>kim@example.com</email>
<ldapid/></user></users>`;

const permissions = ['F1', 'F2', 'F3', 'F4'].map(
  (field) =>
    `<permission scope="field" REF="${field}" ugroup="UGROUP_ANONYMOUS" type="PLUGIN_TRACKER_FIELD_READ"/>` +
    `<permission scope="field" REF="${field}" ugroup="UGROUP_PROJECT_MEMBERS" type="PLUGIN_TRACKER_FIELD_UPDATE"/>`,
);

const head = `<?xml version="1.0" encoding="UTF-8"?>
<project unix-name="imported" full-name="Imported" description="" access="public"><long-description/><services/>
<trackers use-natures="true"><tracker id="T1" parent_id="0"><name>Chores</name><item_name>chore</item_name><description/>
<color>deep-blue</color><cannedResponses/><formElements>
<formElement type="string" ID="F1" rank="0"><name>title</name><label>Title</label></formElement>
<formElement type="text" ID="F2" rank="1"><name>details</name><label>Details</label></formElement>
<formElement type="sb" ID="F3" rank="2"><name>state</name><label>State</label><bind type="static" is_rank_alpha="0">
<items><item ID="V1" label="Open" is_hidden="0"/><item ID="V2" label="Done" is_hidden="0"/></items></bind></formElement>
<formElement type="int" ID="F4" rank="3"><name>points</name><label>Points</label></formElement></formElements>
<semantics><semantic type="title"><field REF="F1"/></semantic></semantics>
<permissions>${permissions.join('')}</permissions><artifacts>
`;

const tail = '</artifacts></tracker><triggers/></trackers></project>\n';

const by = '<submitted_by format="username">kim</submitted_by>';
const on = (day: number) => `<submitted_on format="ISO8601">2024-05-0${day}T10:00:00+02:00</submitted_on>`;

const texts = (id: number) =>
  `<field_change field_name="title" type="string"><value>Chore number ${id}</value></field_change>` +
  '<field_change field_name="details" type="text"><value format="text">Some words that tell more about it, in a line ' +
  'of ordinary length.</value></field_change>';

const comment = (id: number, day: number) =>
  `<comment>${by}${on(day)}<body format="commonmark">A word about number ${id}, with **emphasis**.</body></comment>`;

function changeset(id: number, number: number): string {
  const isCommented = number === 3;
  return `<changeset>${by}${on(number)}<comments>${isCommented ? comment(id, number) : ''}</comments>${
    number === 1 ? texts(id) : ''
  }<field_change field_name="state" type="list" bind="static"><value format="id">${
    (number % 2) + 1
  }</value></field_change><field_change field_name="points" type="int"><value>${number}</value></field_change></changeset>`;
}

function artifact(id: number): string {
  const changesets = Array.from({ length: changesetsEach }, (_, index) => changeset(id, index + 1));
  return `<artifact id="${id}">${changesets.join('')}</artifact>\n`;
}

/** Writes an archive of so many artifacts, with five changesets each. */
export async function writeArchive(folder: string, artifacts: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'users.xml'), users);
  const out = createWriteStream(join(folder, 'project.xml'));
  out.write(head);
  for (let id = 1; id <= artifacts; id++) if (!out.write(artifact(id))) await once(out, 'drain');
  out.end(tail);
  await once(out, 'close');
}
