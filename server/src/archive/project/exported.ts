import { element, type XmlElement } from '../../kernel/xml.ts';
import { allServices, type Project } from '../../projects/index.ts';
import type { Reader } from '../../storage/index.ts';
import { isEverywhere, listLinkTypes } from '../../trackers/index.ts';
import type { AccountReferences } from '../people.ts';

/** `structure`: what a template needs. `all`: people, artifacts and files as well. */
export type ExportMode = 'structure' | 'all';

export const projectAttributes = ({ shortname, label, description, access, icon }: Project) => ({
  'unix-name': shortname,
  'full-name': label,
  description,
  access,
  ...(icon === '' ? {} : { 'icon-codepoint': icon }),
});

export async function bannerElements(reader: Reader, { id }: Project): Promise<XmlElement[]> {
  const row = await reader.first(reader.sql.selectFrom('project').select('banner').where('id', '=', id));
  return row?.banner ? [element('banner', {}, row.banner)] : [];
}

export async function servicesElement(reader: Reader, project: Project): Promise<XmlElement> {
  const services = await allServices(reader, project);
  return element(
    'services',
    {},
    services.map(({ name, isEnabled: enabled, isCustom, label, description, url: link, opensInNewTab }) =>
      isCustom
        ? element('project-defined-service', {
            ...{ shortname: '', enabled, label, description, link, is_in_new_tab: opensInNewTab },
          })
        : element('service', { shortname: name, enabled }),
    ),
  );
}

interface GroupSource {
  readonly name: string;
  readonly description: string;
  readonly members: readonly number[];
}

async function memberIds(reader: Reader, projectId: number): Promise<{ id: number; isAdmin: boolean }[]> {
  const query = reader.sql.selectFrom('project_member').select(['account_id', 'is_admin']);
  const rows = await reader.all(query.where('project_id', '=', projectId).orderBy('account_id'));
  return rows.map(({ account_id, is_admin }) => ({ id: account_id, isAdmin: is_admin === 1 }));
}

async function staticGroups(reader: Reader, projectId: number): Promise<GroupSource[]> {
  const groups = reader.sql.selectFrom('user_group').select(['id', 'name', 'description']).orderBy('id');
  const found: GroupSource[] = [];
  for (const { id, name, description } of await reader.all(groups.where('project_id', '=', projectId))) {
    const query = reader.sql.selectFrom('user_group_member').select('account_id').where('group_id', '=', id);
    const members = (await reader.all(query.orderBy('account_id'))).map(({ account_id }) => account_id);
    found.push({ name, description, members });
  }
  return found;
}

/** The groups of a project: its administrators, its members, and those that it defines. */
export async function groupsElement(
  reader: Reader,
  { id }: Project,
  mode: ExportMode,
  references: AccountReferences,
): Promise<XmlElement> {
  const members = await memberIds(reader, id);
  const admins = members.filter(({ isAdmin }) => isAdmin);
  const sources: GroupSource[] = [
    { name: 'project_admins', description: '', members: admins.map((member) => member.id) },
    { name: 'project_members', description: '', members: members.map((member) => member.id) },
    ...(await staticGroups(reader, id)),
  ];
  const groups: XmlElement[] = [];
  for (const { name, description, members: ids } of sources) {
    const named = mode === 'all' ? ids : [];
    const listed = await Array.fromAsync(named, (account) => references.refer('member', account));
    groups.push(element('ugroup', { name, description }, [element('members', {}, listed)]));
  }
  const query = reader.sql.selectFrom('project').select('has_synchronised_membership').where('id', '=', id);
  const isSynchronised = (await reader.first(query))?.has_synchronised_membership === 1;
  return element('ugroups', { mode: isSynchronised ? 'synchronized' : undefined }, groups);
}

async function disabledLinkTypes(reader: Reader, { id }: Project): Promise<ReadonlySet<string>> {
  const query = reader.sql.selectFrom('disabled_link_type').select('shortname').where('project_id', '=', id);
  return new Set((await reader.all(query)).map(({ shortname }) => shortname));
}

/** The types that links of the archive have, and those of every platform: others refuse an archive with one that they do not know. */
export async function naturesElement(
  reader: Reader,
  project: Project,
  used: ReadonlySet<string>,
): Promise<XmlElement> {
  const disabled = await disabledLinkTypes(reader, project);
  const types = await listLinkTypes(reader);
  return element(
    'natures',
    {},
    types
      .filter((type) => isEverywhere(type) || used.has(type.shortname))
      .map(({ shortname }) =>
        element('nature', { is_used: disabled.has(shortname) ? '0' : undefined }, shortname),
      ),
  );
}

/** What is switched off in the project and not said of it, in words. */
export async function linkTypeLosses(
  reader: Reader,
  project: Project,
  used: ReadonlySet<string>,
): Promise<string[]> {
  const disabled = await disabledLinkTypes(reader, project);
  const types = await listLinkTypes(reader);
  return types
    .filter((type) => disabled.has(type.shortname) && !isEverywhere(type) && !used.has(type.shortname))
    .map(
      ({ shortname }) =>
        `Links of the type ${shortname} are off in the project ${project.shortname}: that is left out, since it has none.`,
    );
}

export function usersElements(references: AccountReferences): XmlElement[] {
  return references.written.map(({ id, name, realName, email, ldapId }) =>
    element('user', {}, [
      element('id', {}, String(id)),
      element('username', {}, name),
      element('realname', {}, realName),
      element('email', {}, email),
      element('ldapid', {}, ldapId ?? ''),
    ]),
  );
}
