import type { Messages } from './en.ts';
import { account } from './fr/account.ts';
import { artifact } from './fr/artifact.ts';
import { creation } from './fr/creation.ts';
import { fields } from './fr/fields.ts';
import { help } from './fr/help.ts';
import { home } from './fr/home.ts';
import { people } from './fr/people.ts';
import { projects } from './fr/projects.ts';
import { search } from './fr/search.ts';
import { shell } from './fr/shell.ts';
import { tracker } from './fr/tracker.ts';
import { ui } from './fr/ui.ts';

export const fr: Messages = {
  account,
  artifact,
  creation,
  fields,
  help,
  home,
  people,
  projects,
  search,
  shell,
  tracker,
  ui,
};
