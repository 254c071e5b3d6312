import { ApiError } from '@atelier/client';

/** Milliseconds after which what got no answer is sent again. */
const pauses = [500, 2000, 5000];

/** Asks again where an answer got lost: what has a key is written once, however often it is sent. */
export async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const pause of pauses)
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ApiError) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  return ask();
}
