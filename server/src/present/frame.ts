/** What stands around the artifacts of an answer. */
export interface Frame {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

export const jsonArray: Frame = { before: '[', between: ',', after: ']' };
