import { notify } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';

/** What went wrong, in the words of the server. */
export const tellFault = (error: unknown): number => notify({ text: wordsOfError(error), kind: 'bad' });
