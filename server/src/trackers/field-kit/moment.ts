import { formatInstant, type Instant } from '../../kernel/clock.ts';
import type { AlwaysThere, FieldType, ShownFacts } from '../field-type.ts';
import { anything, type Fact } from '../query/index.ts';
import { dateSearch, momentComparing } from './date-search.ts';
import { shortDate } from './dates.ts';
import { readOnly } from './read-only.ts';
import { momentRow } from './row-cell.ts';

/** Fields that tell when something happened to the artifact. */
export function momentField(
  code: string,
  name: AlwaysThere['name'],
  fact: Fact,
  instantOf: (artifact: ShownFacts) => Instant,
): FieldType {
  const search = {
    ...dateSearch({
      hasTime: () => true,
      within: (_field, range) => ({ is: 'fact', fact, range }),
      filled: () => anything,
    }),
    filled: anything,
  };
  return readOnly(code, {
    roles: ['date'],
    describe: () => ({ default_value: shortDate(Date.now(), true), extra: { is_time_displayed: true } }),
    search,
    cell: { write: (_field, _value, { artifact }) => formatInstant(instantOf(artifact)) },
    row: momentRow(fact, (artifact) => formatInstant(instantOf(artifact))),
    alwaysThere: { name, compare: momentComparing(search) },
    value: {
      isAlwaysShown: true,
      show: (_field, _value, { artifact }) => `"value":"${formatInstant(instantOf(artifact))}"`,
      flat: (_field, _value, { artifact }) => formatInstant(instantOf(artifact)),
      instant: (_value, artifact) => instantOf(artifact),
    },
  });
}
