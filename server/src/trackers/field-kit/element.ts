import type { FieldType } from '../field-type.ts';

type Particulars = Pick<FieldType, 'kind' | 'parents'> &
  Partial<Pick<FieldType, 'properties' | 'isCollapsible'>>;

/** Form elements that never hold a value. */
export function valuelessElement(code: string, { properties = {}, ...particulars }: Particulars): FieldType {
  return { code, ...particulars, isUpdatable: false, isSubmittable: false, properties };
}
