/** The records of a zip file, as APPNOTE.TXT of PKWARE describes them; those for large files are always understood. */

export interface EntryFacts {
  readonly name: string;
  /** Where its local header begins. */
  readonly at: number;
  readonly crc: number;
  readonly size: number;
  /** Bytes that it takes in the zip. */
  readonly packed: number;
  readonly time: Date;
}

export interface DirectoryFacts {
  readonly start: number;
  readonly size: number;
  readonly count: number;
}

export const signatures = {
  local: 0x04034b50,
  entry: 0x02014b50,
  end: 0x06054b50,
  largeEnd: 0x06064b50,
  largeLocator: 0x07064b50,
} as const;

/** In place of a number that stands in the extra field for large files. */
export const largest32 = 0xffffffff;
export const largest16 = 0xffff;

export const largeExtra = 0x0001;
/** Made on Unix, by the version of the format that knows large files. */
const madeBy = 0x032d;
const needed = 45;
const deflated = 8;
const utf8Names = 0x0800;
const ordinaryFile = 0o100640;

/** Date and time as MS-DOS wrote them. */
function dosTime(time: Date): { date: number; time: number } {
  const year = Math.min(Math.max(time.getFullYear(), 1980), 2107);
  return {
    date: ((year - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate(),
    time: (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1),
  };
}

const extraSize = 20;

export const localHeaderSize = ({ name }: EntryFacts) => 30 + Buffer.byteLength(name) + extraSize;

/** Sizes stand in the extra field, where there is room for all of them before they are known. */
export function localHeader(entry: EntryFacts): Buffer {
  const name = Buffer.from(entry.name);
  const header = Buffer.alloc(30 + name.length + extraSize);
  const { date, time } = dosTime(entry.time);
  header.writeUInt32LE(signatures.local, 0);
  header.writeUInt16LE(needed, 4);
  header.writeUInt16LE(utf8Names, 6);
  header.writeUInt16LE(deflated, 8);
  header.writeUInt16LE(time, 10);
  header.writeUInt16LE(date, 12);
  header.writeUInt32LE(entry.crc, 14);
  header.writeUInt32LE(largest32, 18);
  header.writeUInt32LE(largest32, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extraSize, 28);
  name.copy(header, 30);
  writeExtra(header, 30 + name.length, [entry.size, entry.packed]);
  return header;
}

function writeExtra(target: Buffer, start: number, values: readonly number[]): void {
  target.writeUInt16LE(largeExtra, start);
  target.writeUInt16LE(values.length * 8, start + 2);
  for (const [index, value] of values.entries())
    target.writeBigUInt64LE(BigInt(value), start + 4 + index * 8);
}

/** Numbers too large for their place go to the extra field, in this order. */
export function directoryEntry(entry: EntryFacts): Buffer {
  const name = Buffer.from(entry.name);
  const large = [entry.size, entry.packed, entry.at].filter((value) => value >= largest32);
  const extra = large.length === 0 ? 0 : 4 + large.length * 8;
  const record = Buffer.alloc(46 + name.length + extra);
  const { date, time } = dosTime(entry.time);
  record.writeUInt32LE(signatures.entry, 0);
  record.writeUInt16LE(madeBy, 4);
  record.writeUInt16LE(needed, 6);
  record.writeUInt16LE(utf8Names, 8);
  record.writeUInt16LE(deflated, 10);
  record.writeUInt16LE(time, 12);
  record.writeUInt16LE(date, 14);
  record.writeUInt32LE(entry.crc, 16);
  record.writeUInt32LE(Math.min(entry.packed, largest32), 20);
  record.writeUInt32LE(Math.min(entry.size, largest32), 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(extra, 30);
  record.writeUInt32LE(ordinaryFile * 0x10000, 38);
  record.writeUInt32LE(Math.min(entry.at, largest32), 42);
  name.copy(record, 46);
  if (extra > 0) writeExtra(record, 46 + name.length, large);
  return record;
}

/** The end of the directory, after the one for large files where it is needed. */
export function directoryEnd({ start, size, count }: DirectoryFacts): Buffer {
  const isLarge = count >= largest16 || size >= largest32 || start >= largest32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(signatures.end, 0);
  end.writeUInt16LE(Math.min(count, largest16), 8);
  end.writeUInt16LE(Math.min(count, largest16), 10);
  end.writeUInt32LE(Math.min(size, largest32), 12);
  end.writeUInt32LE(Math.min(start, largest32), 16);
  return isLarge ? Buffer.concat([largeDirectoryEnd({ start, size, count }), end]) : end;
}

function largeDirectoryEnd({ start, size, count }: DirectoryFacts): Buffer {
  const record = Buffer.alloc(56 + 20);
  record.writeUInt32LE(signatures.largeEnd, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(madeBy, 12);
  record.writeUInt16LE(needed, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  record.writeUInt32LE(signatures.largeLocator, 56);
  record.writeBigUInt64LE(BigInt(start + size), 64);
  record.writeUInt32LE(1, 72);
  return record;
}
