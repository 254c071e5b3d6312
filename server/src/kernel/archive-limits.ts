/** What an archive of a project may have at the most, so that reading it costs a bounded amount of everything. */
export interface ArchiveLimits {
  /** Bytes of all its files together, unpacked. */
  readonly bytes: number;
  readonly files: number;
  /** Elements of each of its documents. */
  readonly elements: number;
  readonly trackers: number;
  readonly groups: number;
  /** People that it tells of, and people that it names. */
  readonly users: number;
  /** Characters of any one text or attribute. */
  readonly text: number;
  /** How long an import of it may take. */
  readonly seconds: number;
}

const gibibyte = 1024 ** 3;
const mebibyte = 1024 ** 2;

/** For whoever administers the platform or its machine: as much as whole platforms have moved with. */
export const usualLimits: ArchiveLimits = {
  bytes: 256 * gibibyte,
  files: 1_000_000,
  elements: 200_000_000,
  trackers: 1000,
  groups: 10_000,
  users: 100_000,
  text: 4 * mebibyte,
  seconds: 86_400,
};

/** For everybody else, whose archives are templates and hold no data. */
export const usualUserLimits: ArchiveLimits = {
  bytes: 64 * mebibyte,
  files: 1000,
  elements: 20_000,
  trackers: 100,
  groups: 200,
  users: 1000,
  text: 64 * 1024,
  seconds: 300,
};

const names = Object.keys(usualLimits);
const isName = (text: string): text is keyof ArchiveLimits => names.includes(text);

/** Reads `bytes=1000,users=5`; what is not named stays as it is. A text instead of limits says what is wrong. */
export function parseArchiveLimits(text: string, usual: ArchiveLimits): ArchiveLimits | string {
  const limits: { -readonly [Name in keyof ArchiveLimits]: number } = { ...usual };
  for (const part of text.split(',')) {
    const [name = '', value = '', ...rest] = part.split('=').map((word) => word.trim());
    const number = Number(value);
    if (!isName(name))
      return `must name its limits: ${names.join(', ')}, as in users=100; "${name}" is none.`;
    if (rest.length > 0 || !/^\d{1,15}$/.test(value) || number < 1)
      return `must give ${name} a whole number from 1.`;
    limits[name] = number;
  }
  return limits;
}
