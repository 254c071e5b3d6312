import { findAccountsByNames, nameKey } from '../../identity/index.ts';
import { comparedToNothing, listCell, listOperators, readOnly, unlessNegated } from '../field-kit/index.ts';
import type { AlwaysThere, FieldType, SearchContext, SearchRules, ShownFacts } from '../field-type.ts';
import { type Field, submitters } from '../model.ts';
import { anything, type ComparedValue } from '../query/index.ts';
import {
  criterionIds,
  namedEntries,
  plainId,
  refuseManyValues,
  refuseOtherThanSelf,
  unknownValues,
} from './list-search.ts';
import { findPeople } from './people.ts';

interface Part {
  readonly name: AlwaysThere['name'];
  readonly role: 'submitter' | 'editor';
  readonly idOf: (artifact: ShownFacts) => number;
}

const person = { kind: 'list field', ...listOperators, emptyOperators: [] };

/** The accounts that a query names, each once. */
async function accountsFor(
  field: Field,
  values: readonly ComparedValue[],
  { reader, viewer }: SearchContext,
): Promise<readonly number[]> {
  const { texts: names, hasViewer } = namedEntries(person, field, values, true);
  const own = hasViewer ? [refuseOtherThanSelf(viewer, field)] : [];
  const accounts = await findAccountsByNames(reader, names);
  const known = new Set(accounts.map(({ name }) => nameKey(name)));
  const unknown = names.find((name) => !known.has(nameKey(name)));
  if (unknown !== undefined) throw unknownValues(field, [unknown]);
  return [...new Set([...own, ...accounts.map(({ id }) => id)])];
}

function personSearch(who: Part['role']): SearchRules & Pick<AlwaysThere, 'compare'> {
  return {
    operators: ['contains'],
    filled: anything,
    criterion(field, { value }) {
      const accountIds = criterionIds(field, value, plainId);
      return accountIds && { is: 'by', who, accountIds };
    },
    async compare(field, comparison, context) {
      comparedToNothing(field, comparison, person);
      refuseManyValues(field, comparison.values);
      const accountIds = await accountsFor(field, comparison.values, context);
      return unlessNegated(comparison, { is: 'by', who, accountIds });
    },
  };
}

/** Fields that tell who did something to the artifact. */
export function personField(code: string, { name, role, idOf }: Part): FieldType {
  const search = personSearch(role);
  return {
    ...readOnly(code, {
      async describe(_field, context) {
        const people = await findPeople(context.reader, context.tracker.id, role);
        return { values: context.userValues(people), default_value: [] };
      },
      search,
      cell: { write: (_field, _value, context) => context.userLogin(idOf(context.artifact)) },
      row: {
        type: () => 'user',
        cell: (_field, _value, context) => listCell([context.person(idOf(context.artifact))]),
        sort: role,
      },
      alwaysThere: { name, compare: search.compare },
      value: {
        isAlwaysShown: true,
        show: (_field, _value, context) => `"value":${context.user(idOf(context.artifact))}`,
        flat: (_field, _value, context) => context.userName(idOf(context.artifact)) || null,
      },
    }),
    bindings: {
      type: 'users',
      list: role === 'submitter' ? [{ id: submitters, label: 'artifact_submitters' }] : [],
    },
  };
}
