import type { Tracker } from '@atelier/client/routes';
import {
  ChoiceMarks,
  type Field,
  type FieldPlace,
  fieldTypeOf,
  holds,
  possibleChoices,
} from '../../fields/index.ts';
import { useMessages } from '../../messages/index.ts';
import { RichText } from '../../ui/index.ts';
import type { FieldSettings } from '../calls.ts';
import { fieldOfSettings } from '../form-elements.ts';
import styles from './form.module.css';

/** A form that nobody has filled in. */
const unfilled = (tracker: Tracker): FieldPlace => ({
  projectId: tracker.project.id,
  tracker,
  seenValue: () => undefined,
});

function Choices({ field }: { readonly field: Field }) {
  const { form: words } = useMessages().trackerAdmin;
  const shown = possibleChoices(field).filter(({ isHidden }) => isHidden !== true);
  if (shown.length === 0) return <span className={styles['second']}>{words.noValues}</span>;
  return (
    <>
      <ChoiceMarks choices={shown.slice(0, 1)} />
      {shown.length > 1 && <span className={styles['second']}>{words.moreValues(shown.length - 1)}</span>}
    </>
  );
}

/** What a field looks like on a page: its default, or its first value. */
export function Example({
  tracker,
  settings,
}: {
  readonly tracker: Tracker;
  readonly settings: FieldSettings;
}) {
  const { static_value: text } = settings.specific_properties;
  if (typeof text === 'string') return <RichText html={text} />;
  const field = fieldOfSettings(settings);
  if (settings.bind !== null && settings.bind.type !== 'users') return <Choices field={field} />;
  const { Reader, defaultOf } = fieldTypeOf(settings.type);
  // A day is kept in seconds and shown by its default alone.
  const value = settings.bind === null && !holds(settings, 'day') ? defaultOf(field) : undefined;
  return <Reader field={field} value={value} place={unfilled(tracker)} />;
}
