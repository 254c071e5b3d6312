import { artifactIdIn } from '../../kernel/addresses.ts';
import type { Messages } from '../../messages/index.ts';
import { keptArtifacts, type Standing } from '../../store/index.ts';
import type { IconName } from '../../ui/index.ts';
import { type Command, keysOf } from '../commands.ts';
import type { Found, FoundPlace } from './calls.ts';

/** A line of the palette. */
export interface PaletteEntry {
  readonly id: string;
  readonly name: string;
  /** Stands before the name: `bug #42`. */
  readonly reference?: string | undefined;
  readonly detail?: string | undefined;
  readonly icon?: IconName | string | undefined;
  readonly color?: string | null | undefined;
  readonly keys?: string | undefined;
  readonly reasonNot?: string | undefined;
  /** Where it leads; commands have `run` instead. */
  readonly to?: string | undefined;
  readonly run?: (() => void) | undefined;
}

export interface PaletteGroup {
  readonly id: string;
  readonly name: string;
  readonly entries: readonly PaletteEntry[];
}

/** What is looked for: all, or by the sign in front only commands, artifacts, people or projects. */
export interface PaletteQuestion {
  readonly kind: 'all' | 'commands' | 'artifacts' | 'people' | 'projects';
  readonly words: string;
}

export function questionIn(text: string): PaletteQuestion {
  const [sign, rest] = [text.slice(0, 1), text.slice(1).trim()];
  if (sign === '>') return { kind: 'commands', words: rest };
  if (sign === '#' && !/^\d+$/.test(rest)) return { kind: 'artifacts', words: rest };
  if (sign === '@') return { kind: 'people', words: rest };
  if (text.startsWith('p:')) return { kind: 'projects', words: text.slice(2).trim() };
  return { kind: 'all', words: text.trim() };
}

const hasWords = (text: string, words: string) =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));

const commandEntry = (command: Command): PaletteEntry => ({
  id: `command ${command.id}`,
  name: command.name,
  icon: command.icon ?? 'chevron-right',
  keys: keysOf(command)[0],
  reasonNot: command.reasonNot,
  run: command.run,
});

export function commandGroup(commands: readonly Command[], words: string, messages: Messages): PaletteGroup {
  const entries = commands
    .filter(({ isHidden, name }) => isHidden !== true && hasWords(name, words))
    .map(commandEntry);
  return { id: 'commands', name: messages.shell.palette.commands, entries };
}

/** Projects of one's own and artifacts that were read before: there at once. */
export function keptGroups(words: string, standing: Standing, messages: Messages): readonly PaletteGroup[] {
  const { palette } = messages.shell;
  const projects = standing.memberships
    .filter(({ project }) => hasWords(`${project.label} ${project.shortname}`, words))
    .slice(0, 8)
    .map(
      ({ project }): PaletteEntry => ({
        id: project.uri,
        name: project.label_without_icon,
        detail: project.shortname,
        icon: 'folder',
        to: `/projects/${project.shortname}`,
      }),
    );
  const artifacts = keptArtifacts(words, 8).map(
    ({ uri, xref, title }): PaletteEntry => ({
      id: uri,
      name: title === '' ? xref : title,
      reference: xref,
      icon: 'file-text',
      to: `/${uri}`,
    }),
  );
  return [
    { id: 'artifacts', name: palette.artifacts, entries: artifacts },
    { id: 'projects', name: palette.projects, entries: projects },
  ];
}

/** What the server found takes the place of what was kept of the same, and adds to it. */
export function withFound(
  kept: readonly PaletteGroup[],
  found: Found,
  messages: Messages,
): readonly PaletteGroup[] {
  const { palette } = messages.shell;
  const kinds = [
    ...(['artifacts', 'projects', 'trackers', 'reports', 'queries'] as const),
    ...(['dashboards', 'repositories', 'people'] as const),
  ];
  return kinds.map((kind): PaletteGroup => {
    const told = (found[kind] ?? []).map(entryOfFound(kind));
    const ids = new Set(told.map(({ id }) => id));
    const older = kept.find(({ id }) => id === kind)?.entries.filter(({ id }) => !ids.has(id)) ?? [];
    return { id: kind, name: palette[kind], entries: [...told, ...older].slice(0, 8) };
  });
}

const icons: Readonly<Record<string, IconName>> = {
  artifacts: 'file-text',
  projects: 'folder',
  trackers: 'list-details',
  people: 'user',
  reports: 'table',
  queries: 'filter',
  dashboards: 'layout-dashboard',
  repositories: 'git-branch',
};

const entryOfFound =
  (kind: string) =>
  ({ uri, label, detail, color, to }: FoundPlace): PaletteEntry => ({
    id: uri,
    name: label,
    ...(kind === 'artifacts' ? { reference: detail } : { detail }),
    color,
    icon: icons[kind] ?? 'file',
    to,
  });

/** What can be done with the words themselves. */
export function wordEntries(words: string, messages: Messages): PaletteGroup {
  const { palette } = messages.shell;
  const id = artifactIdIn(words);
  const open: readonly PaletteEntry[] =
    id === undefined
      ? []
      : [{ id: 'open', name: palette.openArtifact(id), icon: 'corner-down-left', to: `/artifacts/${id}` }];
  const search: readonly PaletteEntry[] =
    words === ''
      ? []
      : [
          {
            id: 'search',
            name: palette.searchEverywhere(words),
            icon: 'search',
            keys: '/',
            to: `/search?words=${encodeURIComponent(words)}`,
          },
        ];
  return { id: 'words', name: palette.here, entries: [...open, ...search] };
}
