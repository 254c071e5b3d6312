import { day, formatInstant, type Instant, parseInstant } from '../../kernel/clock.ts';
import { attributeOf, type XmlElement } from '../../kernel/xml.ts';

const isMoment = (element: XmlElement) => attributeOf(element, 'format') === 'ISO8601' && element.text !== '';

/** The newest moment at which an artifact changed. */
export function newestIn(artifact: XmlElement): Instant {
  const moments = artifact.children.flatMap(({ children }) =>
    children.filter(({ name }) => name === 'submitted_on').map(({ text }) => parseInstant(text) ?? 0),
  );
  return Math.max(0, ...moments);
}

/** So many whole days, and so weeks, lie between a moment and now that the days of the week stay what they are. */
export function weeksSince(moment: Instant): number {
  return Math.max(0, Math.floor((Date.now() - moment) / (7 * day))) * 7 * day;
}

/** The same element with every date so much later. */
export function later(element: XmlElement, by: number): XmlElement {
  const moment = isMoment(element) ? parseInstant(element.text) : undefined;
  return {
    ...element,
    text: moment === undefined ? element.text : formatInstant(moment + by),
    children: element.children.map((child) => later(child, by)),
  };
}
