/** Groups of files of which each leads to every other, by the algorithm of Tarjan. */
export function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const [order, lowest, open] = [new Map<string, number>(), new Map<string, number>(), new Set<string>()];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    order.set(file, order.size);
    lowest.set(file, order.size - 1);
    open.add(file);
    for (const next of graph.get(file) ?? []) {
      const reached = order.has(next) ? (open.has(next) ? order.get(next) : undefined) : visit(next);
      lowest.set(file, Math.min(lowest.get(file) ?? 0, reached ?? Number.POSITIVE_INFINITY));
    }
    if (lowest.get(file) === order.get(file)) {
      const circle = [...open].slice([...open].indexOf(file));
      for (const one of circle) open.delete(one);
      if (circle.length > 1 || graph.get(file)?.includes(file)) circles.push(circle.sort());
    }
    return lowest.get(file) ?? 0;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}
