export const artifact = {};
