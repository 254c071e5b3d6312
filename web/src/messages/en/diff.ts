/** What is different between two texts. */
export const diff = {
  sideBySide: 'Side by side',
  oneColumn: 'One column',
  added: (lines: number) => (lines === 1 ? '1 line added' : `${lines} lines added`),
  removed: (lines: number) => (lines === 1 ? '1 line removed' : `${lines} lines removed`),
  addedLine: 'added',
  removedLine: 'removed',
  unchanged: (lines: number) => (lines === 1 ? '1 unchanged line' : `${lines} unchanged lines`),
  before: 'Before',
  after: 'After',
  same: 'Both texts are the same',
};
