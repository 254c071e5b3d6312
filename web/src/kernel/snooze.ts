/** Until when something is put off. */
export type SnoozeChoice = 'later' | 'tomorrow' | 'next-week';

const morning = 9;
const monday = 1;
const hoursOfLater = 3;

/** Three hours from now, tomorrow morning, or the morning of the next Monday, by the clock of whoever asks. */
export function snoozedUntil(choice: SnoozeChoice, now: Date): Date {
  const until = new Date(now);
  if (choice === 'later') {
    until.setHours(until.getHours() + hoursOfLater);
    return until;
  }
  until.setDate(until.getDate() + 1);
  until.setHours(morning, 0, 0, 0);
  while (choice === 'next-week' && until.getDay() !== monday) until.setDate(until.getDate() + 1);
  return until;
}

/** The morning of a day such as `2026-11-20`; undefined where that is no day to come. */
export function snoozedUntilDay(day: string, now: Date): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return undefined;
  const until = new Date(Number(year), Number(month) - 1, Number(date), morning);
  return until > now ? until : undefined;
}
