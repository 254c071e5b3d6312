export const threadModes = ['one', 'all'] as const;
export type ThreadMode = (typeof threadModes)[number];
