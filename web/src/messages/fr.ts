import type { FirstMessages } from './en.ts';
import { fields } from './fr/fields.ts';
import { home } from './fr/home.ts';
import { projects } from './fr/projects.ts';
import { shell } from './fr/shell.ts';
import { tracker } from './fr/tracker.ts';
import { ui } from './fr/ui.ts';

export const fr: FirstMessages = {
  fields,
  home,
  projects,
  shell,
  tracker,
  ui,
};
