import { momentField } from '../field-kit/index.ts';

/** When the artifact was last changed. */
export const ludField = momentField('lud', '@last_update_date', 'modifiedOn', ({ modifiedOn }) => modifiedOn);
