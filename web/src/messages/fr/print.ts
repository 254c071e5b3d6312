import type { print as en } from '../en/print.ts';

export const print: typeof en = {
  sheet: (name) => `${name}, pour l’impression`,
  firstOf: (some, all) => `Les ${some} premiers artefacts sur ${all}`,
};
