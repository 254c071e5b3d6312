import { displayName, findAccountByName, findAccounts, findAccountsByNames } from '../../identity/index.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { attributeOf, element, textOf, type XmlElement } from '../../kernel/xml.ts';
import { builtInGroups, endlessGroups, groupIds } from '../../projects/index.ts';
import type { Reader } from '../../storage/index.ts';
import { integerIn, personItem, wrongValue } from '../field-kit/index.ts';
import type { DescribingContext } from '../field-type.ts';
import { type Field, noneValue, submitters } from '../model.ts';
import type { BindRules, FormReading } from './bind-rules.ts';
import { candidatesAmong, chosenPeople, describedCandidates, isCandidate } from './people.ts';

const groupsOf = ({ bind }: Field) => bind?.groups ?? [];

function isListed(group: number): boolean {
  return !endlessGroups.includes(group);
}

/** As existing clients know them: the ids of some are numbers, of others texts. */
function sourceOf(id: number, projectGroups: ReadonlyMap<number, string>) {
  if (id === submitters) return { id, label: 'artifact_submitters' };
  const label = projectGroups.get(id) ?? builtInGroups.get(id)?.name ?? '';
  return { id: id === groupIds.projectMembers || id === groupIds.projectAdmins ? id : String(id), label };
}

/** Somebody may have left since they became a default. */
const choosableDefaults = (
  field: Field,
  { reader, tracker }: Pick<DescribingContext, 'reader' | 'tracker'>,
): Promise<number[]> => candidatesAmong(reader, tracker, groupsOf(field), field.bind?.defaults ?? []);

/** What archives call the sources that are no groups like others. */
const archivedSources = new Map<number, string>([
  [submitters, 'artifact_submitters'],
  [groupIds.projectMembers, 'group_members'],
  [groupIds.projectAdmins, 'group_admins'],
]);

/** Groups of a project have other numbers elsewhere: their names stand beside. */
function sourceItem(id: number, name: string | undefined): XmlElement[] {
  const label = archivedSources.get(id) ?? `ugroup_${id}`;
  if (archivedSources.has(id) || builtInGroups.has(id)) return [element('item', { label })];
  return name === undefined ? [] : [element('item', { label }, [element('description', {}, name)])];
}

function sourceFrom(item: XmlElement, context: FormReading): number | undefined {
  const label = attributeOf(item, 'label')?.trim() ?? '';
  const known = [...archivedSources].find(([, name]) => name === label)?.[0];
  if (known !== undefined) return known;
  const id = Number(/^ugroup_(\d+)$/.exec(label)?.[1]);
  if (builtInGroups.has(id)) return id;
  const name = textOf(item, 'description').trim();
  return name === '' ? undefined : context.group(name);
}

/** Who among these is the one whose name the viewer is shown as this text: answers name people so where they give labels. */
async function shownAs(
  reader: Reader,
  viewer: Viewer,
  text: string,
  ids: readonly number[],
): Promise<number | undefined> {
  const people = ids.length === 0 ? [] : await findAccounts(reader, ids);
  const [meant, ...others] = people.filter((account) => displayName(viewer, account) === text);
  return others.length === 0 ? meant?.id : undefined;
}

/** People. */
export const usersBind: BindRules = {
  isFixed: false,
  async accept(field, input, { tx, tracker }) {
    const ids = input.map((id) => integerIn(id) ?? 0);
    for (const [position, id] of ids.entries())
      if (!(await isCandidate(tx, tracker, groupsOf(field), id)))
        throw wrongValue(
          field,
          `${JSON.stringify(input[position])} is not the id of a user who can be chosen here.`,
        );
    return ids;
  },
  async named(field, text, { tx, tracker, viewer }, present) {
    const account = await findAccountByName(tx, text);
    if (account === undefined) return shownAs(tx, viewer, text, present);
    const isKept = present.includes(account.id);
    return isKept || (await isCandidate(tx, tracker, groupsOf(field), account.id)) ? account.id : undefined;
  },
  async searched(field, texts, { reader, tracker }, present = []) {
    const ids = (await findAccountsByNames(reader, texts)).map(({ id }) => id);
    const fresh = ids.filter((id) => !present.includes(id));
    const candidates = await candidatesAmong(reader, tracker, groupsOf(field), fresh);
    return ids.filter((id) => present.includes(id) || candidates.includes(id));
  },
  self: (field, id, { reader, tracker }) => isCandidate(reader, tracker, groupsOf(field), id),
  defaults: (field, { tx, tracker }) => choosableDefaults(field, { reader: tx, tracker }),
  async counterpart(field, id, _from, { reader, tracker }) {
    return (await isCandidate(reader, tracker, groupsOf(field), id)) ? id : undefined;
  },
  show: (_field, ids, context) => (ids.length === 0 ? [noneValue] : ids).map((id) => context.user(id)),
  showIds: (_field, ids) => (ids.length === 0 ? [noneValue] : ids).map(String),
  labels: (_field, ids, context) => ids.map((id) => context.userName(id)),
  names: (_field, ids, context) => ids.map((id) => context.userLogin(id)).filter((name) => name !== ''),
  items: (_field, ids, context) => ids.map((id) => personItem(id, context)),
  rowItems: (_field, ids, context) => ids.map((id) => context.person(id)),
  async sortTexts(field, { reader, viewer }) {
    const people = await chosenPeople(reader, field.id);
    return new Map(people.map((account) => [account.id, displayName(viewer, account)]));
  },
  async describe(field, context) {
    const accounts = await describedCandidates(context, groupsOf(field).filter(isListed));
    return {
      values: context.userValues(accounts),
      default_value: await context.users(await choosableDefaults(field, context)),
    };
  },
  toArchive: (_field, id, context) => context.user('value', id),
  fromArchive(_field, value, context) {
    const text = value.text.trim();
    if (text === '') return noneValue;
    const numbered = /^b(\d+)$/.exec(text)?.[1];
    return attributeOf(value, 'format') === 'id' && numbered !== undefined
      ? context.userNumbered(numbered)
      : context.user(value);
  },
  namedInArchive: (_field, label, context) => context.user(element('value', { format: 'username' }, label)),
  toItems: (field, nameOf) => groupsOf(field).flatMap((id) => sourceItem(id, nameOf(id))),
  fromItems: (items, context) => ({
    values: [],
    groups: items.flatMap((item) => {
      const group = sourceFrom(item, context);
      if (group === undefined)
        context.warn(
          'unknown_group',
          item,
          `People cannot be taken from ${JSON.stringify(attributeOf(item, 'label'))}.`,
        );
      return group ?? [];
    }),
  }),
  sources: (field, { projectGroups }) => groupsOf(field).map((id) => sourceOf(id, projectGroups)),
};
