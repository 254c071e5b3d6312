import type { Tracker } from '@atelier/client/routes';
import { useEffect, useRef } from 'react';
import { type FormPlace, isSamePlace, placeOf, placesFor } from '../../kernel/form-places.ts';
import { useMessages } from '../../messages/index.ts';
import { notify } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';
import { Button, Checkbox, CheckboxGroup, EmptyPlace, IconButton, Menu, MenuItem } from '../../ui/index.ts';
import { type FieldSettings, type SettingsChange, useFieldUses, useGroups } from '../calls.ts';
import { type FormProperty, formElementType } from '../form-elements.ts';
import { TypedField } from '../typed-field.tsx';
import { type FormActs, nameOfElement, usePlaceWords } from './acts.ts';
import styles from './form.module.css';
import type { BuiltElement, BuiltForm } from './model.ts';
import { Uses } from './uses.tsx';
import { Values } from './values.tsx';

interface ElementSettingsProps {
  readonly tracker: Tracker;
  readonly form: BuiltForm;
  readonly acts: FormActs;
  readonly element: BuiltElement | undefined;
  /** It was added just now: its name is what one types next. */
  readonly isNew: boolean;
  onMove(element: BuiltElement, place: FormPlace): void;
  onClose(): void;
}

/** What can be set on the chosen element, and why it cannot go. */
export function ElementSettings(props: ElementSettingsProps) {
  const { element } = props;
  const { form: words } = useMessages().trackerAdmin;
  return (
    <section
      className={styles['settings']}
      aria-label={words.settings}
      data-open={element === undefined ? undefined : ''}
    >
      {element === undefined ? (
        <EmptyPlace icon="forms" name={words.chooseOne}>
          {words.chooseWords}
        </EmptyPlace>
      ) : (
        <OfElement {...props} element={element} />
      )}
    </section>
  );
}

type OfElementProps = ElementSettingsProps & { readonly element: BuiltElement };

function OfElement(props: OfElementProps) {
  const { tracker, acts, element, isNew, onClose } = props;
  const { settings } = element;
  const { form: words, elements: names } = useMessages().trackerAdmin;
  const type = formElementType(element.type);
  const label = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isNew) return;
    label.current?.focus();
    label.current?.select();
  }, [isNew]);
  const change = (wish: SettingsChange, seen = settings) => acts.change(seen, wish);
  const choose = (wish: SettingsChange) =>
    void change(wish).catch((error: unknown) => notify({ text: wordsOfError(error), kind: 'bad' }));
  const isOfPeople = settings.bind !== null && settings.bind.type !== 'static';
  return (
    <>
      <div className={styles['settingsHead']}>
        <h2>{settings.label}</h2>
        <span className={styles['second']}>{nameOfElement(names, settings)}</span>
        <IconButton icon="x" label={words.backToForm} size="small" onPress={onClose} />
      </div>
      <TypedField
        label={words.label}
        value={settings.label}
        inputRef={label}
        onStore={(value, replaced) => acts.change({ ...settings, label: replaced }, { label: value })}
      />
      <TypedField
        label={words.name}
        help={words.nameHelp}
        value={settings.name}
        className={styles['mono']}
        onStore={(value, replaced) => acts.change({ ...settings, name: replaced }, { name: value })}
      />
      <TypedField
        label={words.description}
        value={settings.description}
        isLong
        onStore={(value, replaced) =>
          acts.change({ ...settings, description: replaced }, { description: value })
        }
      />
      {type.isFilled && (
        <Checkbox isSelected={settings.required} onChange={(required) => choose({ required })}>
          {words.isRequired}
        </Checkbox>
      )}
      {isOfPeople && (
        <Checkbox
          isSelected={settings.has_notifications}
          help={words.tellsHelp}
          onChange={(isOn) => choose({ has_notifications: isOn })}
        >
          {words.tells}
        </Checkbox>
      )}
      {type.properties.map((property) => (
        <Property key={property.name} property={property} settings={settings} onChange={change} />
      ))}
      {settings.bind?.type === 'users' && (
        <PeopleSources tracker={tracker} settings={settings} onChange={choose} />
      )}
      {settings.bind !== null && settings.bind.type !== 'users' && (
        <Values tracker={tracker} settings={settings} onChange={choose} />
      )}
      <Feet {...props} />
    </>
  );
}

function Feet({ tracker, form, acts, element, onMove }: OfElementProps) {
  const { form: words } = useMessages().trackerAdmin;
  const { settings } = element;
  const { data: uses } = useFieldUses(tracker.id);
  const use = uses?.find(({ field_id: id }) => id === settings.field_id);
  return (
    <div className={styles['settingsFeet']}>
      <MoveTo form={form} element={element} onMove={onMove} />
      <Uses use={use} />
      <div className={styles['buttons']}>
        <Button reasonNot={use?.obstacle ?? null} onPress={() => acts.setUsed(settings, false)}>
          {words.takeOut}
        </Button>
        <Button kind="danger" reasonNot={use?.obstacle ?? null} onPress={() => acts.remove(settings)}>
          {words.removeField}
        </Button>
      </div>
      <p className={styles['second']}>{words.takeOutHelp}</p>
    </div>
  );
}

/** Every place where it may stand: what dragging does, in words. */
function MoveTo({ form, element, onMove }: Pick<OfElementProps, 'form' | 'element' | 'onMove'>) {
  const { form: words } = useMessages().trackerAdmin;
  const placeWords = usePlaceWords({
    ...form,
    elements: form.elements.filter(({ id }) => id !== element.id),
  });
  const now = placeOf(form.tree, element.id);
  const places = placesFor(form.tree, element);
  return (
    <Menu
      aria-label={words.moveTo}
      search={places.length > 8 ? words.moveTo : undefined}
      onAction={(key) => {
        const place = places[Number(key)];
        if (place !== undefined) onMove(element, place);
      }}
      trigger={<Button icon="arrows-up-down">{words.moveTo}</Button>}
    >
      {places.map((place, index) => {
        const { name, container } = placeWords(place);
        const isHere = now !== undefined && isSamePlace(place, now);
        return (
          <MenuItem
            key={`${place.parentId} ${place.nextId}`}
            id={String(index)}
            isSet={isHere}
            second={words.placeIn(container)}
          >
            {name}
          </MenuItem>
        );
      })}
    </Menu>
  );
}

interface PropertyProps {
  readonly property: FormProperty;
  readonly settings: FieldSettings;
  /** `seen`: what stood there when one began to type; that of others may have come since. */
  onChange(wish: SettingsChange, seen?: FieldSettings): Promise<void>;
}

const secondsADay = 86_400;
/** Noon, so that it is the same day in every zone. */
const secondsOfDay = (day: string) => Math.round(Date.parse(`${day}T12:00:00Z`) / 1000);
const dayOfSeconds = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

function Property({ property: { name, kind }, settings, onChange }: PropertyProps) {
  const { form: words } = useMessages().trackerAdmin;
  const value = settings.specific_properties[name];
  const label = words.properties[name] ?? name;
  const store = (stored: unknown) => onChange({ specific_properties: { [name]: stored } });
  const tell = (error: unknown) => notify({ text: wordsOfError(error), kind: 'bad' });
  if (kind === 'switch')
    return (
      <Checkbox isSelected={Number(value) === 1} onChange={(isOn) => void store(isOn ? 1 : 0).catch(tell)}>
        {label}
      </Checkbox>
    );
  if (kind === 'today')
    return (
      <Checkbox isSelected={Number(value) === 0} onChange={(isOn) => void store(isOn ? 0 : 1).catch(tell)}>
        {label}
      </Checkbox>
    );
  if (kind === 'day') {
    if (Number(settings.specific_properties['default_value_type']) === 0) return null;
    const day = typeof value === 'number' && Math.abs(value) > secondsADay ? dayOfSeconds(value) : '';
    return (
      <TypedField
        label={label}
        type="date"
        value={day}
        onStore={(typed) => store(typed === '' ? null : secondsOfDay(typed))}
      />
    );
  }
  const text = value === null || value === undefined ? '' : String(value);
  return (
    <TypedField
      label={label}
      help={words.propertyHelp[name]}
      value={text}
      isLong={kind === 'area' || kind === 'html'}
      onStore={(typed, replaced) =>
        onChange(
          { specific_properties: { [name]: kind === 'number' ? numberOf(typed) : typed } },
          { ...settings, specific_properties: { ...settings.specific_properties, [name]: replaced } },
        )
      }
    />
  );
}

/** What is no number is sent as it was typed, so that the server says what is wrong with it. */
const numberOf = (typed: string) =>
  typed.trim() === '' ? null : Number.isFinite(Number(typed)) ? Number(typed) : typed;

const SUBMITTERS = '0';

function PeopleSources({
  tracker,
  settings,
  onChange,
}: {
  readonly tracker: Tracker;
  readonly settings: FieldSettings;
  onChange(wish: SettingsChange): void;
}) {
  const { form: words } = useMessages().trackerAdmin;
  const { data: groups = [] } = useGroups(tracker.project.id);
  const offered = [{ id: SUBMITTERS, label: words.submitters }, ...groups];
  return (
    <CheckboxGroup
      label={words.peopleFrom}
      value={settings.bind?.groups ?? []}
      onChange={(ids) => onChange({ groups: ids })}
    >
      {offered.map(({ id, label }) => (
        <Checkbox key={id} value={id}>
          {label}
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}
