import type { FirstMessages } from './en.ts';
import { fields } from './fr/fields.ts';
import { shell } from './fr/shell.ts';
import { tracker } from './fr/tracker.ts';
import { ui } from './fr/ui.ts';

export const fr: FirstMessages = {
  fields,
  shell,
  tracker,
  ui,
};
