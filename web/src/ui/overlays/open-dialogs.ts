/** How each dialog that is open is closed, the one on top last. */
export const openDialogs: (() => void)[] = [];
