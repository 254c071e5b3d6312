import { useRef, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { classes, Icon, IconButton, Tooltip } from '../../ui/index.ts';
import type { FieldSettings } from '../calls.ts';
import { type AddableElement, addableElements, formElementType } from '../form-elements.ts';
import { type FormActs, nameOfElement, reasonNotToAdd } from './acts.ts';
import { useDragged } from './drag.ts';
import styles from './form.module.css';
import type { BuiltForm } from './model.ts';

interface AddersProps {
  readonly form: BuiltForm;
  readonly acts: FormActs;
  onAdd(addable: AddableElement): void;
}

const sections = ['add', 'facts', 'arrange'] as const;

/** What can be added, by dragging it or by a press; and what waits outside of the form. */
export function Adders({ form, acts, onAdd }: AddersProps) {
  const { form: words } = useMessages().trackerAdmin;
  return (
    <div className={styles['adders']}>
      {sections.map((section) => (
        <section key={section} aria-label={words[section]}>
          <h2 className={styles['addersName']}>{words[section]}</h2>
          <ul>
            {addableElements
              .filter((addable) => addable.section === section)
              .map((addable) => (
                <li key={addable.id}>
                  <Adder addable={addable} form={form} onAdd={onAdd} />
                </li>
              ))}
          </ul>
        </section>
      ))}
      <Outside name={words.unused} elements={form.unused}>
        {(settings) => (
          <IconButton
            icon="arrow-forward-up"
            size="small"
            label={words.putBackNamed(settings.label)}
            onPress={() => acts.setUsed(settings, true)}
          />
        )}
      </Outside>
      <Outside name={words.removed} elements={form.removed}>
        {(settings) => (
          <IconButton
            icon="arrow-back-up"
            size="small"
            label={words.restoreNamed(settings.label)}
            onPress={() => acts.restore(settings)}
          />
        )}
      </Outside>
    </div>
  );
}

function Adder({ addable, form, onAdd }: Omit<AddersProps, 'acts'> & { readonly addable: AddableElement }) {
  const { form: words, elements: names } = useMessages().trackerAdmin;
  const place = useRef<HTMLButtonElement>(null);
  const name = names[addable.id] ?? addable.id;
  const reasonNot = reasonNotToAdd(addable, form, words);
  useDragged(place, { kind: 'new', key: addable.id, name }, reasonNot === undefined);
  const button = (
    <button
      ref={place}
      type="button"
      className={classes(styles['adder'], reasonNot !== undefined && styles['off'])}
      aria-label={words.addNamed(name)}
      aria-disabled={reasonNot !== undefined}
      onClick={() => reasonNot === undefined && onAdd(addable)}
    >
      <Icon name={addable.icon} />
      {name}
    </button>
  );
  return reasonNot === undefined ? button : <Tooltip text={reasonNot}>{button}</Tooltip>;
}

interface OutsideProps {
  readonly name: string;
  readonly elements: readonly FieldSettings[];
  children(settings: FieldSettings): React.ReactNode;
}

/** Elements that are not in the form, and a way back for each. */
function Outside({ name, elements, children }: OutsideProps) {
  const { elements: names } = useMessages().trackerAdmin;
  const [isOpen, setOpen] = useState(true);
  if (elements.length === 0) return null;
  return (
    <section aria-label={name}>
      <h2 className={styles['addersName']}>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
          {name} <span className={styles['count']}>{elements.length}</span>
        </button>
      </h2>
      {isOpen && (
        <ul>
          {elements.map((settings) => (
            <li key={settings.field_id} className={styles['outside']}>
              <Icon name={formElementType(settings.type).icon} />
              <span className={styles['outsideName']} title={nameOfElement(names, settings)}>
                {settings.label}
              </span>
              {children(settings)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
