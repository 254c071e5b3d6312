import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { useStanding } from '../../store/index.ts';
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
} from '../../ui/index.ts';
import { usePeople } from '../calls.ts';
import { ChoiceChips, ChoiceMark, ChoiceMarks } from '../cells.tsx';
import { type Choice, choiceOf, isBoundToPeople, possibleChoices } from '../choice.ts';
import { chosenIn, NEW, valueWith } from '../lists.tsx';
import {
  type ControlProps,
  type Field,
  type FieldPlace,
  isMembers,
  type ReaderProps,
  withValue,
} from '../model.ts';
import { allowedChoices, isWorkflowField } from '../rules.ts';
import { statusStages } from '../status.ts';

/** Rings stand for values of the status alone. */
function stagesOf(field: Field, place: FieldPlace) {
  return place.tracker.semantics.status?.field_id === field.field_id
    ? statusStages(place.tracker)
    : undefined;
}

export function ListReader({ field, value, place }: ReaderProps) {
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

export function OneControl(props: ControlProps) {
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

export function ManyControl(props: ControlProps) {
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
export function RadioControl(props: ControlProps) {
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

export function BoxesControl(props: ControlProps) {
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

export function PersonReader({ value }: ReaderProps) {
  const choice = isMembers(value?.['value']) ? choiceOf(value['value']) : null;
  return choice === null ? <EmptyDash /> : <ChoiceMarks choices={[choice]} />;
}

export function TokensReader({ value }: ReaderProps) {
  const choices = chosenIn(value);
  if (choices.some((choice) => choice.person !== undefined)) return <ChoiceMarks choices={choices} />;
  return <ChoiceChips choices={choices} />;
}

/** Words that are completed while one types; a word that is new is added to the list by the server. */
export function TokensControl(props: ControlProps) {
  const { field, value, onChange, place, label, fault, isRequired, autoFocus, onEscape } = props;
  const { fields } = useMessages();
  const [words, setWords] = useState('');
  const isPeople = isBoundToPeople(field);
  const { people } = usePeople(place.projectId, words, isPeople);
  const chosen = chosenIn(value);
  const possible = isPeople ? people.flatMap((person) => choiceOf(person) ?? []) : possibleChoices(field);
  const offered = possible.filter(({ isHidden }) => isHidden !== true);
  const all = [...offered, ...chosen];
  const keep = (tokens: readonly Token[]) => {
    const objects = tokens.map(
      (token) => firstOf(all, token.id)[0]?.source ?? { id: token.id, label: token.name, isNew: true },
    );
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
      onEscape={onEscape}
      placeholder={field.hint ?? fields.typeToAdd}
      fault={fault}
      isRequired={isRequired ?? false}
      autoFocus={autoFocus ?? false}
    />
  );
}
