import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { useStanding } from '../store/index.ts';
import {
  Checkbox,
  CheckboxGroup,
  EmptyDash,
  MultiSelect,
  type Option,
  Radio,
  RadioGroup,
  Select,
  type Token,
  TokenField,
} from '../ui/index.ts';
import { usePeople } from './calls.ts';
import { ChoiceChips, ChoiceMark, ChoiceMarks, FieldCell } from './cells.tsx';
import { type Choice, choiceOf, choicesIn, isBoundToPeople, possibleChoices } from './choice.ts';
import { ListFilter, listFilterWords } from './filters.tsx';
import {
  type CellProps,
  type ControlProps,
  type Field,
  type FieldPlace,
  type FieldType,
  type FieldValue,
  isMembers,
  membersIn,
  type ReaderProps,
  type RowCell,
  textIn,
  withValue,
} from './model.ts';
import { allowedChoices, isWorkflowField } from './rules.ts';
import { statusStages } from './status.ts';

export const chosenIn = (value: FieldValue | undefined): Choice[] =>
  choicesIn(value?.['values'] ?? value?.['bind_value_objects']);

/** Numbers are sent as numbers; ids of groups such as `101_3` as they are. */
const sentId = (id: string): number | string => (/^\d+$/.test(id) ? Number(id) : id);

const valueWith = (field: Field, choices: readonly Choice[]): FieldValue =>
  withValue(field, {
    values: choices.map(({ source }) => source),
    bind_value_ids: choices.map(({ id }) => sentId(id)),
  });

/** Rings stand for values of the status alone. */
function stagesOf(field: Field, place: FieldPlace) {
  return place.tracker.semantics.status?.field_id === field.field_id
    ? statusStages(place.tracker)
    : undefined;
}

function Reader({ field, value, place }: ReaderProps) {
  return <ChoiceMarks choices={chosenIn(value)} stages={stagesOf(field, place)} />;
}

function optionsOf(choices: readonly Choice[], field: Field, place: FieldPlace): Option[] {
  const stages = stagesOf(field, place);
  return choices.map((choice) => ({
    id: choice.id,
    name: choice.name,
    mark: <ChoiceMark choice={choice} stages={stages} />,
    second: choice.login === undefined || choice.login === '' ? undefined : choice.login,
  }));
}

/** What is offered: by rules and workflow, or, where there are too many people to list, by what is typed. */
function useOffered({ field, value, place }: ControlProps) {
  const [words, setWords] = useState('');
  const possible = possibleChoices(field);
  const searches = isBoundToPeople(field) && possible.length === 0;
  const { people, isAsking } = usePeople(place.projectId, words, searches);
  const { user } = useStanding();
  const chosen = chosenIn(value);
  const found = searches
    ? people.flatMap((person) => choiceOf(person) ?? [])
    : allowedChoices(field, place, possible, chosen);
  const offered = user === null ? found : meFirst(found, String(user.id));
  return { offered, chosen, isAsking, onSearch: searches ? setWords : undefined };
}

function meFirst(choices: readonly Choice[], myId: string): Choice[] {
  const me = choices.filter((choice) => choice.person !== undefined && choice.id === myId);
  return [...me, ...choices.filter((choice) => !me.includes(choice))];
}

function listProps(props: ControlProps, offered: readonly Choice[], chosen: readonly Choice[]) {
  const { field, place, label, fault, isRequired, autoFocus, look, isOpen, onOpenChange } = props;
  return {
    ...(label === undefined ? { 'aria-label': field.label } : { label }),
    options: optionsOf(offered, field, place),
    known: optionsOf(chosen, field, place),
    fault,
    isRequired: isRequired ?? false,
    autoFocus: autoFocus ?? false,
    look: look ?? 'field',
    isOpen,
    onOpenChange,
  };
}

const firstOf = (choices: readonly Choice[], id: string | null): Choice[] =>
  choices.filter((choice) => choice.id === id).slice(0, 1);

function OneControl(props: ControlProps) {
  const { field, onChange } = props;
  const { fields } = useMessages();
  const { offered, chosen, isAsking, onSearch } = useOffered(props);
  const searchWords = isBoundToPeople(field) ? fields.searchPeople : fields.searchValues;
  // No step of a workflow leads back to no value.
  const isNeeded = field.required || isWorkflowField(props.place.tracker, field);
  return (
    <Select
      {...listProps(props, offered, chosen)}
      value={chosen[0]?.id ?? null}
      onChange={(id) => onChange(valueWith(field, firstOf([...offered, ...chosen], id)))}
      none={isNeeded ? false : isBoundToPeople(field) ? fields.nobody : true}
      searchWords={searchWords}
      onSearch={onSearch}
      isLoading={isAsking}
    />
  );
}

function ManyControl(props: ControlProps) {
  const { field, onChange } = props;
  const { fields } = useMessages();
  const { offered, chosen, isAsking, onSearch } = useOffered(props);
  const all = [...offered, ...chosen];
  return (
    <MultiSelect
      {...listProps(props, offered, chosen)}
      value={chosen.map(({ id }) => id)}
      onChange={(ids) =>
        onChange(
          valueWith(
            field,
            ids.flatMap((id) => firstOf(all, id)),
          ),
        )
      }
      placeholder={isBoundToPeople(field) ? fields.nobody : undefined}
      searchWords={isBoundToPeople(field) ? fields.searchPeople : fields.searchValues}
      onSearch={onSearch}
      isLoading={isAsking}
    />
  );
}

const MOST_SEEN = 7;

/** Radio buttons where all of them can be seen at once; in place of a value they open like a list. */
function RadioControl(props: ControlProps) {
  const { field, onChange, label, fault, isRequired, look } = props;
  const { ui } = useMessages();
  const { offered, chosen } = useOffered(props);
  if (look === 'value' || offered.length > MOST_SEEN || offered.length === 0)
    return <OneControl {...props} />;
  return (
    <RadioGroup
      {...(label === undefined ? { 'aria-label': field.label } : { label })}
      value={chosen[0]?.id ?? ''}
      onChange={(id) => onChange(valueWith(field, firstOf(offered, id)))}
      fault={fault}
      isRequired={isRequired ?? false}
    >
      {!field.required && <Radio value="">{ui.none}</Radio>}
      {offered.map((choice) => (
        <Radio key={choice.id} value={choice.id}>
          <ChoiceMarks choices={[choice]} />
        </Radio>
      ))}
    </RadioGroup>
  );
}

function BoxesControl(props: ControlProps) {
  const { field, onChange, label, fault, isRequired, look } = props;
  const { offered, chosen } = useOffered(props);
  if (look === 'value' || offered.length > MOST_SEEN || offered.length === 0)
    return <ManyControl {...props} />;
  const all = [...offered, ...chosen];
  return (
    <CheckboxGroup
      {...(label === undefined ? { 'aria-label': field.label } : { label })}
      value={chosen.map(({ id }) => id)}
      onChange={(ids) =>
        onChange(
          valueWith(
            field,
            ids.flatMap((id) => firstOf(all, id)),
          ),
        )
      }
      fault={fault}
      isRequired={isRequired ?? false}
    >
      {offered.map((choice) => (
        <Checkbox key={choice.id} value={choice.id}>
          <ChoiceMarks choices={[choice]} />
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}

function listType(code: string, Control: FieldType['Control']): FieldType {
  return {
    code,
    Cell: FieldCell,
    Reader,
    Control,
    Filter: ListFilter,
    filterWords: listFilterWords,
    isChoice: true,
    groupedBy: 'value',
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

export const sbType = listType('sb', OneControl);
export const rbType = listType('rb', RadioControl);
export const msbType = listType('msb', ManyControl);
export const cbType = listType('cb', BoxesControl);
export const subbyType: FieldType = {
  ...listType('subby', undefined),
  Reader: PersonReader,
  ...personValues(),
};
export const lubyType: FieldType = {
  ...listType('luby', undefined),
  Reader: PersonReader,
  ...personValues(),
};

function PersonReader({ value }: ReaderProps) {
  const choice = isMembers(value?.['value']) ? choiceOf(value['value']) : null;
  return choice === null ? <EmptyDash /> : <ChoiceMarks choices={[choice]} />;
}

function personValues(): Pick<FieldType, 'isEmpty' | 'summary' | 'valueOfCell' | 'defaultOf' | 'isChoice'> {
  const personIn = (value: FieldValue | undefined) =>
    isMembers(value?.['value']) ? choiceOf(value['value']) : null;
  return {
    isChoice: false,
    isEmpty: (value) => personIn(value) === null,
    summary: (value) => personIn(value)?.name ?? '',
    valueOfCell: (field, cell) => withValue(field, { value: isMembers(cell.value) ? cell.value : cell }),
    defaultOf: () => undefined,
  };
}

function TokensReader({ value }: ReaderProps) {
  const choices = chosenIn(value);
  if (choices.some((choice) => choice.person !== undefined)) return <ChoiceMarks choices={choices} />;
  return <ChoiceChips choices={choices} />;
}

function TokensCell(props: CellProps) {
  return props.column.type === 'list_static' ? (
    <ChoiceChips choices={choicesIn(props.cell?.value)} />
  ) : (
    <FieldCell {...props} />
  );
}

const NEW = 'new:';

/** Words that are completed while one types; a word that is new is added to the list by the server. */
function TokensControl(props: ControlProps) {
  const { field, value, onChange, place, label, fault, isRequired, autoFocus } = props;
  const { fields } = useMessages();
  const [words, setWords] = useState('');
  const isPeople = isBoundToPeople(field);
  const { people } = usePeople(place.projectId, words, isPeople);
  const chosen = chosenIn(value);
  const possible = isPeople ? people.flatMap((person) => choiceOf(person) ?? []) : possibleChoices(field);
  const offered = possible.filter(({ isHidden }) => isHidden !== true);
  const all = [...offered, ...chosen];
  const keep = (tokens: readonly Token[]) => {
    const objects = tokens.map((token) => firstOf(all, token.id)[0]?.source ?? { label: token.name });
    onChange(withValue(field, { bind_type: field.bindings.type, bind_value_objects: objects }));
  };
  return (
    <TokenField
      {...(label === undefined ? { 'aria-label': field.label } : { label })}
      value={chosen.map(({ id, name, colour }) => ({ id, name, colour }))}
      onChange={keep}
      options={offered.map((choice) => ({
        id: choice.id,
        name: choice.name,
        colour: choice.colour,
        mark: <ChoiceMark choice={choice} />,
        second: choice.login,
      }))}
      create={field.bindings.type === 'static' ? (name) => ({ id: `${NEW}${name}`, name }) : undefined}
      onSearch={isPeople ? setWords : undefined}
      placeholder={field.hint ?? fields.typeToAdd}
      fault={fault}
      isRequired={isRequired ?? false}
      autoFocus={autoFocus ?? false}
    />
  );
}

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
  ...listType('tbl', TokensControl),
  isChoice: false,
  Cell: TokensCell,
  Reader: TokensReader,
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
