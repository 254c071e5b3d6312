import { personField } from './person.ts';

/** Who submitted the artifact. */
export const subbyField = personField('subby', { role: 'submitter', idOf: ({ submittedBy }) => submittedBy });
