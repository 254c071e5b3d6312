const dayMs = 86_400_000;
/** The first of the days that the dataset has. */
const firstDay = Date.UTC(2022, 0, 1);
/** How many days it has. */
export const dayCount = 1440;

export const dayAt = (index: number) => new Date(firstDay + index * dayMs).toISOString().slice(0, 10);

export const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
