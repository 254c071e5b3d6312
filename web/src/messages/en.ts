import { artifact } from './en/artifact.ts';
import { creation } from './en/creation.ts';
import { fields } from './en/fields.ts';
import { help } from './en/help.ts';
import { ui } from './en/ui.ts';

/** One object a room; a room that is new here is asked of every other language by the compiler. */
export const en = { artifact, creation, fields, help, ui };

export type Messages = typeof en;
