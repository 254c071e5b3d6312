import { attributeOf, type XmlElement } from '../../kernel/xml.ts';

/** What an archive calls a tracker. */
export const keyOf = (tracker: XmlElement) => attributeOf(tracker, 'id') ?? '';

/** The key of the parent of each tracker that has one. */
export function parentsIn(trackers: readonly XmlElement[]): Record<string, string> {
  const pairs = trackers.map(
    (tracker) => [keyOf(tracker), attributeOf(tracker, 'parent_id') ?? '0'] as const,
  );
  return Object.fromEntries(pairs.filter(([, parent]) => parent !== '0' && parent !== ''));
}

/** Those that take their timeframe from another come after all others. */
export function inImportOrder(trackers: readonly XmlElement[]): XmlElement[] {
  const borrows = ({ children }: XmlElement): boolean =>
    children.some((child) => child.name === 'inherited_from_tracker' || borrows(child));
  const borrowing = (tracker: XmlElement) =>
    tracker.children.some((child) => child.name === 'semantics' && borrows(child));
  return [...trackers.filter((one) => !borrowing(one)), ...trackers.filter(borrowing)];
}
