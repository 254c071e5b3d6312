/** What is shown of somebody. Answers carry people inside, some with fewer of these than others. */
export interface PersonFacts {
  readonly id: number;
  readonly display_name: string;
  readonly avatar_url: string;
  readonly real_name?: string | null;
}

const shown = ['display_name', 'avatar_url', 'real_name'] as const;

/** People are told by what they have: no other thing of the API has both a name to show and a picture. */
function isPerson(value: object): value is PersonFacts {
  return (
    typeof Reflect.get(value, 'id') === 'number' &&
    typeof Reflect.get(value, 'display_name') === 'string' &&
    typeof Reflect.get(value, 'avatar_url') === 'string'
  );
}

/** Calls `visit` for everybody inside an answer. */
export function eachPerson(answer: unknown, visit: (person: PersonFacts) => void): void {
  if (typeof answer !== 'object' || answer === null) return;
  if (isPerson(answer)) visit(answer);
  for (const value of Object.values(answer)) eachPerson(value, visit);
}

/** Whether two answers tell different things of the same person, as far as both tell them. */
export const differs = (one: PersonFacts, other: PersonFacts): boolean =>
  shown.some((name) => (one[name] ?? other[name]) !== (other[name] ?? one[name]));

/** Puts what is known by now into an answer: the same answer where there is nothing new. */
export function withPeople<Answer>(answer: Answer, known: ReadonlyMap<number, PersonFacts>): Answer;
export function withPeople(answer: unknown, known: ReadonlyMap<number, PersonFacts>): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const person = isPerson(answer) ? known.get(answer.id) : undefined;
  const changed: [name: string, value: unknown][] = [];
  for (const [name, value] of Object.entries(answer)) {
    const isShown = person !== undefined && shown.some((one) => one === name);
    const next = isShown ? (Reflect.get(person, name) ?? value) : withPeople(value, known);
    if (next !== value) changed.push([name, next]);
  }
  if (changed.length === 0) return answer;
  const copy = Array.isArray(answer) ? [...answer] : { ...answer };
  for (const [name, value] of changed) Reflect.set(copy, name, value);
  return copy;
}
