import type { Query } from '@tanstack/react-query';
import { differs, eachPerson, type PersonFacts, withPeople } from '../kernel/people.ts';
import { queries } from './queries.ts';

/** What the newest answer told of everybody, and when that came. */
const known = new Map<number, { readonly facts: PersonFacts; readonly time: number }>();
/** Answers that nobody has looked through yet. */
const fresh = new Set<Query>();
let isWaiting = false;

/** Keeps what an answer tells of people; tells about whom it and an earlier one differ. */
function learnFrom(answer: unknown, time: number): ReadonlySet<number> {
  const changed = new Set<number>();
  eachPerson(answer, (person) => {
    const before = known.get(person.id);
    if (before !== undefined && differs(before.facts, person)) changed.add(person.id);
    if (before === undefined || time >= before.time)
      known.set(person.id, { facts: { ...before?.facts, ...person }, time });
  });
  return changed;
}

/** Puts what is known of some people into every answer. */
function spread(changed: ReadonlySet<number>): void {
  const people = new Map<number, PersonFacts>();
  for (const [id, { facts }] of known) if (changed.has(id)) people.set(id, facts);
  for (const query of queries.getQueryCache().getAll()) {
    const { data, dataUpdatedAt: updatedAt } = query.state;
    const next = withPeople(data, people);
    if (next !== data) queries.setQueryData(query.queryKey, next, { updatedAt });
  }
}

function lookThrough(): void {
  isWaiting = false;
  const changed = new Set<number>();
  for (const query of fresh)
    for (const id of learnFrom(query.state.data, query.state.dataUpdatedAt)) changed.add(id);
  fresh.clear();
  if (changed.size > 0) spread(changed);
}

/** One answer that tells another name or picture of somebody changes them wherever they are shown. */
export function keepPeopleAlike(): void {
  const cache = queries.getQueryCache();
  for (const query of cache.getAll()) fresh.add(query);
  lookThrough();
  cache.subscribe(({ type, query }) => {
    if (type !== 'updated' || query.state.data === undefined) return;
    fresh.add(query);
    if (isWaiting) return;
    isWaiting = true;
    // After what waits for the answer was drawn.
    setTimeout(lookThrough, 50);
  });
}
