import { momentField } from './moment.ts';

/** When the artifact was submitted. */
export const subonField = momentField('subon', 'submittedOn', ({ submittedOn }) => submittedOn);
