import { personField } from '../lists/index.ts';

/** Who changed the artifact last. */
export const lubyField = personField('luby', {
  name: '@last_update_by',
  role: 'editor',
  idOf: ({ modifiedBy }) => modifiedBy,
});
