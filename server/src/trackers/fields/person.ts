import { submitters } from '../model.ts';
import { findPeople } from '../people.ts';
import type { ArtifactFacts, FieldType } from './field-type.ts';
import { readOnly } from './read-only.ts';

interface Part {
  readonly role: 'submitter' | 'editor';
  readonly idOf: (artifact: ArtifactFacts) => number;
}

/** Fields that tell who did something to the artifact. */
export function personField(code: string, { role, idOf }: Part): FieldType {
  return {
    ...readOnly(code, {
      async describe(_field, context) {
        const people = await findPeople(context.reader, context.tracker.id, role);
        return { values: context.userValues(people), default_value: [] };
      },
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
