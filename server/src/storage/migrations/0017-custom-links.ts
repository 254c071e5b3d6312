import type { Migration } from './migration.ts';

/** Clients link by the type `custom` without asking whether there is one. It can be removed like any other. */
export const customLinks: Migration = {
  id: 17,
  name: 'custom-links',
  statements: () => [
    `insert into link_type (shortname, forward_label, reverse_label) values ('custom', 'Custom', 'Custom')
      on conflict (shortname) do nothing`,
  ],
};
