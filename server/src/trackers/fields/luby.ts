import { personField } from './person.ts';

/** Who changed the artifact last. */
export const lubyField = personField('luby', { role: 'editor', idOf: ({ modifiedBy }) => modifiedBy });
