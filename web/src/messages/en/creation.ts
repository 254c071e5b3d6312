export const creation = {};
