import { momentField } from '../field-kit/index.ts';

/** When the artifact was submitted. */
export const subonField = momentField(
  'subon',
  '@submitted_on',
  'submittedOn',
  ({ submittedOn }) => submittedOn,
);
