import { personField } from '../lists/index.ts';

/** Who submitted the artifact. */
export const subbyField = personField('subby', {
  name: '@submitted_by',
  role: 'submitter',
  idOf: ({ submittedBy }) => submittedBy,
});
