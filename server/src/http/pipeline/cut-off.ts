/** The sender went away, or was cut off, in the middle of a body. */
export class CutOff extends Error {}
