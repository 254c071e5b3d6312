import { fields } from './en/fields.ts';
import { shell } from './en/shell.ts';
import { tracker } from './en/tracker.ts';
import { ui } from './en/ui.ts';

/** One object a room, of those whose words are on the first pages; a room that is new here is asked of every other language by the compiler. */
export const en = {
  fields,
  shell,
  tracker,
  ui,
};

export type FirstMessages = typeof en;
