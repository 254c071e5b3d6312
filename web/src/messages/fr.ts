import type { Messages } from './en.ts';
import { artifact } from './fr/artifact.ts';
import { creation } from './fr/creation.ts';
import { fields } from './fr/fields.ts';
import { help } from './fr/help.ts';
import { ui } from './fr/ui.ts';

export const fr: Messages = { artifact, creation, fields, help, ui };
