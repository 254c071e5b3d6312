import type { HealthFinding } from '../../health/index.ts';

const needed = 26;

export function checkNode(): HealthFinding {
  const about = 'Node';
  const says = `Node ${process.versions.node} runs this.`;
  if (Number.parseInt(process.versions.node, 10) >= needed) return { about, state: 'ok', says };
  return { about, state: 'problem', says, advice: `Node ${needed} or newer is needed.` };
}
