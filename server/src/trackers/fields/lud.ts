import { momentField } from './moment.ts';

/** When the artifact was last changed. */
export const ludField = momentField('lud', 'modifiedOn', ({ modifiedOn }) => modifiedOn);
