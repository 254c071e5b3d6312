import type { Criterion, Field } from './model.ts';

/** Days that are told from today: such criteria are asked for as a query, since it alone knows what today is where the server is. */
const forms: Readonly<Record<string, (period: string) => string>> = {
  last: (period) => `BETWEEN(NOW() - ${period}, NOW())`,
  next: (period) => `BETWEEN(NOW(), NOW() + ${period})`,
  today: () => '= NOW()',
  past: () => '< NOW()',
};

const period = /^\d{1,4}[dwmy]$/;

export const isRelative = ({ operator }: Pick<Criterion, 'operator'>): boolean =>
  Object.hasOwn(forms, operator);

/** The condition of a query that a criterion about days from today stands for; nothing where its period is none. */
export function relativeQuery({ name }: Pick<Field, 'name'>, { operator, value }: Criterion): string {
  const given = String(value);
  const needsPeriod = operator === 'last' || operator === 'next';
  if (needsPeriod && !period.test(given)) return '';
  return `${name} ${forms[operator]?.(given) ?? ''}`;
}

export const usualPeriod = '7d';

/** `7d` is 7 and d. */
export function periodParts(text: string): { readonly count: string; readonly unit: 'd' | 'w' | 'm' | 'y' } {
  const [, count = '', unit] = /^(\d*)([dwmy]?)$/.exec(text) ?? [];
  return { count, unit: unit === 'w' || unit === 'm' || unit === 'y' ? unit : 'd' };
}

/** Whether a date is a moment of its day: days that artifacts were created and changed on always are. */
export const hasTimes = ({ type, is_time_displayed: isMoment }: Field): boolean =>
  type !== 'date' || isMoment === true;
