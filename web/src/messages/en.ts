import { account } from './en/account.ts';
import { artifact } from './en/artifact.ts';
import { creation } from './en/creation.ts';
import { fields } from './en/fields.ts';
import { help } from './en/help.ts';
import { home } from './en/home.ts';
import { people } from './en/people.ts';
import { projects } from './en/projects.ts';
import { search } from './en/search.ts';
import { shell } from './en/shell.ts';
import { tracker } from './en/tracker.ts';
import { ui } from './en/ui.ts';

/** One object a room; a room that is new here is asked of every other language by the compiler. */
export const en = {
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

export type Messages = typeof en;
