import type { Tracker } from '@atelier/client/routes';
import {
  type ArtifactLink,
  type Field,
  fieldHolding,
  isParentLink,
  linksIn,
  withLinks,
} from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { Select } from '../ui/index.ts';
import { useParents } from './calls.ts';
import { type CreationForm, fieldsToCreate, type Values } from './form.ts';

/** The field that holds the links of a new artifact; undefined where it cannot be linked. */
export const linkField = (tracker: Tracker): Field | undefined =>
  fieldHolding(fieldsToCreate(tracker), 'links');

const parentLink = (id: number): ArtifactLink => ({
  id,
  type: '_is_child',
  direction: 'reverse',
  colour: '',
});

/** A new artifact below another one. */
export function valuesWithParent(tracker: Tracker, parentId: number | undefined): Values {
  const field = linkField(tracker);
  if (field === undefined || parentId === undefined) return {};
  return { [field.field_id]: withLinks(field, [parentLink(parentId)], true) };
}

/** Chosen among the open artifacts of the parent tracker. */
export function ParentField({ form, field }: { readonly form: CreationForm; readonly field: Field }) {
  const { creation } = useMessages();
  const { tracker, place } = form;
  const parents = useParents(tracker.id);
  const links = linksIn(place.seenValue(field.field_id));
  const chosen = links.find(isParentLink);
  const others = links.filter((link) => !isParentLink(link));
  return (
    <Select
      label={creation.parent}
      options={parents.map(({ id, xref, title }) => ({ id: String(id), name: title, second: xref }))}
      known={chosen === undefined ? [] : [{ id: String(chosen.id), name: `#${chosen.id}` }]}
      value={chosen === undefined ? null : String(chosen.id)}
      onChange={(id) =>
        form.set(withLinks(field, [...others, ...(id === null ? [] : [parentLink(Number(id))])], true))
      }
    />
  );
}
