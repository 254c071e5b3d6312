const TASK = /^(\s*(?:[-*+]|\d+[.)])\s+)\[([ xX])\](?=\s)/;
const FENCE = /^\s*(```+|~~~+)/;

/** The source with one of its tasks ticked or not; tasks are counted from 0, those in blocks of code are none. */
export function withTask(source: string, index: number, isDone: boolean): string {
  let count = -1;
  let fence: string | null = null;
  const lines = source.split('\n').map((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
      return line;
    }
    if (fence !== null || !TASK.test(line)) return line;
    count += 1;
    return count === index ? line.replace(TASK, `$1[${isDone ? 'x' : ' '}]`) : line;
  });
  return lines.join('\n');
}
