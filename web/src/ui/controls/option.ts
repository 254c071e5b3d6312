import type { ReactNode } from 'react';

export type Option = {
  id: string;
  name: string;
  /** A ring, a dot, a face. */
  mark?: ReactNode;
  /** A login beside a name, what a step asks for. */
  second?: string | undefined;
  /** Why it cannot be chosen; it stays to be read. */
  reasonNot?: string | null | undefined;
  /** Options with the same one stand together under it. */
  section?: string | undefined;
};

/** From this number of entries on a list can be searched by typing. */
export const SEARCHED_FROM = 8;
