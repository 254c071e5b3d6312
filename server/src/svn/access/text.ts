/*
 * The part of an access file that a project writes, as text: what is kept and shown. What Subversion gets to read is made
 * from it in rules.ts.
 */

const groupsHeader = /^\s*\[\s*groups\s*\]/i;
const anyHeader = /^\s*\[/;
const groupRule = /^\s*@([A-Za-z0-9_-]+)\s*=/;
const definition = /^\s*([^\s#=:@[][^=]*?)\s*=/;

/** The group of all members of the project, which every access file may name. */
export const membersGroup = 'members';

/**
 * Comments out the lines about groups that there are not. Everything else stays as it was written, whatever it is.
 * `known`: the groups that the platform defines.
 */
export function cleanAccessText(text: string, known: ReadonlySet<string>): string {
  const groups = new Set([...known, membersGroup]);
  let isInGroups = false;
  const lines = text.trim().split('\n');
  return lines
    .map((line) => {
      if (anyHeader.test(line)) isInGroups = groupsHeader.test(line);
      else if (isInGroups) {
        const name = definition.exec(line)?.[1];
        if (name !== undefined) groups.add(name);
      }
      if (!line.trimStart().startsWith('@')) return line;
      const name = groupRule.exec(line)?.[1];
      return name !== undefined && groups.has(name) ? line : `# ${line}`;
    })
    .join('\n');
}

/** The names of the groups that the text defines itself. */
function groupsDefinedIn(text: string): Set<string> {
  const groups = new Set<string>();
  let isInGroups = false;
  for (const line of text.split('\n')) {
    if (anyHeader.test(line)) isInGroups = groupsHeader.test(line);
    const name = isInGroups ? definition.exec(line)?.[1] : undefined;
    if (name !== undefined) groups.add(name);
  }
  return groups;
}

/** The text after a group got another name. A group that the text defines itself is another one. */
export function renameGroupIn(text: string, from: string, to: string): string {
  if (groupsDefinedIn(text).has(from)) return text;
  return text
    .split('\n')
    .map((line) => {
      const [whole, name] = groupRule.exec(line) ?? [];
      return whole !== undefined && name === from
        ? whole.replace(`@${from}`, `@${to}`) + line.slice(whole.length)
        : line;
    })
    .join('\n');
}

const aliasesHeader = /^\s*\[\s*aliases\s*\]/i;
const ruleName = /^(\s*~?)([^=:]*?)(\s*[=:])/;

/**
 * The text after a person got another name: in rules, among the members of groups that the text defines itself, and behind
 * aliases. Subversion compares names of people without regard to letter case.
 */
export function renamePersonIn(text: string, from: string, to: string): string {
  const isMeant = (name: string) => name.trim().toLowerCase() === from.toLowerCase();
  const renamed = (name: string) => (isMeant(name) ? name.replace(name.trim(), to) : name);
  let hasPeopleAsValues = false;
  return text
    .split('\n')
    .map((line) => {
      if (line.trimStart().startsWith('#')) return line;
      if (anyHeader.test(line)) {
        hasPeopleAsValues = groupsHeader.test(line) || aliasesHeader.test(line);
        return line;
      }
      const [whole = '', before = '', name = '', sign = ''] = ruleName.exec(line) ?? [];
      const rest = line.slice(whole.length);
      return hasPeopleAsValues
        ? whole + rest.split(',').map(renamed).join(',')
        : before + renamed(name) + sign + rest;
    })
    .join('\n');
}
