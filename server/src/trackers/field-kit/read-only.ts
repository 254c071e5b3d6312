import type { FieldType } from '../field-type.ts';

type Particulars = Pick<FieldType, 'value'> &
  Partial<
    Pick<
      FieldType,
      'alwaysThere' | 'cell' | 'describe' | 'isUnique' | 'properties' | 'roles' | 'row' | 'search'
    >
  >;

/** Fields that the platform fills: whatever is sent for them is ignored. */
export function readOnly(code: string, { properties = {}, ...particulars }: Particulars): FieldType {
  return {
    code,
    kind: 'field',
    parents: ['column', 'fieldset', null],
    isUpdatable: false,
    isSubmittable: false,
    properties,
    ...particulars,
  };
}
