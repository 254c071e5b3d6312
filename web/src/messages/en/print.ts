export const print = {
  sheet: (name: string) => `${name}, for printing`,
  firstOf: (some: string, all: string) => `The first ${some} of ${all} artifacts`,
};
