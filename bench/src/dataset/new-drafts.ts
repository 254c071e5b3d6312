import type { Dataset } from './dataset.ts';
import { type Draft, draftOf, twoOf } from './draft.ts';
import { Random } from './random.ts';
import { description } from './texts.ts';

/** Drafts that the dataset does not have, with links into it. */
export function newDrafts({ form, renderer, firstId, lastId }: Dataset, count: number): Draft[] {
  const random = new Random(lastId);
  const range = { first: firstId, last: lastId };
  return Array.from({ length: count }, () =>
    draftOf(random, form, {
      description: description(random, renderer),
      links: twoOf(random, range),
    }),
  );
}
