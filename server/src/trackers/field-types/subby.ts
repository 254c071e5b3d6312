import { personField } from '../field-kit/person.ts';

/** Who submitted the artifact. */
export const subbyField = personField('subby', {
  name: '@submitted_by',
  role: 'submitter',
  idOf: ({ submittedBy }) => submittedBy,
});
