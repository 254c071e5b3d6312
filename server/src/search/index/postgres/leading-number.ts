/** The whole number that a text begins with, 0 where there is none; cut where other engines cut it. */
export const leadingNumber = (text: string) =>
  String.raw`case when ${text} is not null then least(greatest(coalesce(substring(${text} from '^[ \t\n\v\f\r]*([-+]?[0-9]+)')::numeric, 0), -9223372036854775808), 9223372036854775807) end`;
