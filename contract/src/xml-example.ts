/** Element names are those of members, as far as XML has such names; in front of an id stands a sign that begins one. */
const elementName = (member: string) =>
  (/^[A-Za-z_]/.test(member) ? member : `_${member}`).replaceAll(/[^\w.-]/g, '_');

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function element(name: string, value: unknown, indent: string): string {
  const inner = Array.isArray(value)
    ? value.map((item) => ['item', item] as const)
    : Object.entries(Object(value) === value ? Object(value) : {}).map(
        ([member, one]) => [elementName(member), one] as const,
      );
  if (inner.length === 0) {
    const text = value === null || typeof value === 'object' ? '' : escaped(String(value));
    return `${indent}<${name}>${text}</${name}>\n`;
  }
  const content = inner.map(([member, one]) => element(member, one, `${indent}  `)).join('');
  return `${indent}<${name}>\n${content}${indent}</${name}>\n`;
}

/**
 * The body of a request as people write it in XML: documents of the API show nothing else of `item` and its like. `argument`: the name of
 * the whole; an empty list needs it, since a root with nothing in it says nothing.
 */
export function xmlExampleOf(body: unknown, argument: string | undefined): string {
  const isEmptyList = Array.isArray(body) && body.length === 0;
  return element('request', isEmptyList && argument !== undefined ? { [argument]: body } : body, '');
}
