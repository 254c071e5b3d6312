import { arriving } from './arriving.tsx';
import { ChoiceChips, FieldCell } from './cells.tsx';
import { type Choice, choiceOf, choicesIn, possibleChoices } from './choice.ts';
import { listFilterWords } from './filter-words.ts';
import {
  type CellProps,
  type Field,
  type FieldType,
  type FieldValue,
  isMembers,
  membersIn,
  type RowCell,
  textIn,
  withValue,
} from './model.ts';

export const chosenIn = (value: FieldValue | undefined): Choice[] =>
  choicesIn(value?.['values'] ?? value?.['bind_value_objects']);

/** Numbers are sent as numbers; ids of groups such as `101_3` as they are. */
export const sentId = (id: string): number | string => (/^\d+$/.test(id) ? Number(id) : id);

/** The value of a list that has these chosen. */
export const valueWith = (field: Field, choices: readonly Choice[]): FieldValue =>
  withValue(field, {
    values: choices.map(({ source }) => source),
    bind_value_ids: choices.map(({ id }) => sentId(id)),
  });

const ListReader = arriving((parts) => parts.ListReader);
const PersonReader = arriving((parts) => parts.PersonReader);
const ListFilter = arriving((parts) => parts.ListFilter);

function listType(code: string, chooses: FieldType['chooses'], Control: FieldType['Control']): FieldType {
  return {
    code,
    Cell: FieldCell,
    Reader: ListReader,
    Control,
    Filter: ListFilter,
    filterWords: listFilterWords,
    isChoice: true,
    groupedBy: 'value',
    chooses,
    isWide: false,
    entryOf: (field, value) => ({
      field_id: field.field_id,
      bind_value_ids: chosenIn(value).map(({ id }) => sentId(id)),
    }),
    cellOf: (_field, value): RowCell => ({
      value: chosenIn(value).map(({ source, colour }) => ({ ...source, color: colour ?? null })),
    }),
    valueOfCell: (field, cell) => valueWith(field, choicesIn(cell.value)),
    defaultOf: (field) => {
      const ids = membersIn(field.default_value).map((value) => String(value['id']));
      const chosen = possibleChoices(field).filter(({ id }) => ids.includes(id));
      return chosen.length === 0 ? undefined : valueWith(field, chosen);
    },
    isEmpty: (value) => chosenIn(value).length === 0,
    summary: (value, formats) => formats.list(chosenIn(value).map(({ name }) => name)),
  };
}

export const sbType = listType(
  'sb',
  'one',
  arriving((parts) => parts.OneControl),
);
export const rbType = listType(
  'rb',
  'one',
  arriving((parts) => parts.RadioControl),
);
export const msbType = listType(
  'msb',
  'several',
  arriving((parts) => parts.ManyControl),
);
export const cbType = listType(
  'cb',
  'several',
  arriving((parts) => parts.BoxesControl),
);
export const subbyType: FieldType = {
  ...listType('subby', undefined, undefined),
  fact: '@submitted_by',
  Reader: PersonReader,
  ...personValues(),
};
export const lubyType: FieldType = {
  ...listType('luby', undefined, undefined),
  fact: '@last_update_by',
  Reader: PersonReader,
  ...personValues(),
};

function personValues(): Partial<FieldType> {
  const personIn = (value: FieldValue | undefined) =>
    isMembers(value?.['value']) ? choiceOf(value['value']) : null;
  return {
    isPerson: true,
    isChoice: false,
    isEmpty: (value) => personIn(value) === null,
    summary: (value) => personIn(value)?.name ?? '',
    valueOfCell: (field, cell) => withValue(field, { value: isMembers(cell.value) ? cell.value : cell }),
    defaultOf: () => undefined,
  };
}

function TokensCell(props: CellProps) {
  return props.column.type === 'list_static' ? (
    <ChoiceChips choices={choicesIn(props.cell?.value)} />
  ) : (
    <FieldCell {...props} />
  );
}

/** In front of a word that has no id yet. */
export const NEW = 'new:';

/** One of a list as it is sent: by its id, or by its word where it has none yet. */
function sentToken(source: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { id } = source;
  return id === undefined ? { label: textIn(source['label']) } : { id };
}

/** A word without an id yet still has to be told from the others. */
const withIds = (objects: unknown): Readonly<Record<string, unknown>>[] =>
  membersIn(objects).map((object) =>
    'id' in object ? object : { ...object, id: `${NEW}${textIn(object['label'])}`, isNew: true },
  );

export const tblType: FieldType = {
  ...listType(
    'tbl',
    'several',
    arriving((parts) => parts.TokensControl),
  ),
  isChoice: false,
  takesNewWords: true,
  Cell: TokensCell,
  Reader: arriving((parts) => parts.TokensReader),
  entryOf: (field, value) => ({
    field_id: field.field_id,
    value: {
      bind_value_objects: membersIn(value['bind_value_objects']).map((object) =>
        object['isNew'] === true ? sentToken({ label: object['label'] }) : sentToken(object),
      ),
    },
  }),
  valueOfCell: (field, cell) =>
    withValue(field, { bind_type: field.bindings.type, bind_value_objects: withIds(cell.value) }),
  defaultOf: (field) => {
    const objects = membersIn(field.default_value);
    return objects.length === 0
      ? undefined
      : withValue(field, { bind_type: field.bindings.type, bind_value_objects: objects });
  },
};
