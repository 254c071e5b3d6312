import { decodeHTMLAttribute } from 'entities/lib/decode.js';
import { escapeAll, outwardRel } from './draft.ts';
import type { Attributes } from './scan.ts';

/** What may stay of a value; undefined when nothing may. */
type Rule = (value: string) => string | undefined;

const matching =
  (pattern: RegExp): Rule =>
  (value) =>
    pattern.test(value) ? value : undefined;
const anything: Rule = (value) => value;
const present: Rule = () => '';

/** Without what browsers pass over: control characters anywhere, white space around it. */
const bareAddress = (value: string) => value.replace(/\p{Cc}/gu, '').trim();

/** What comes before the first colon is a scheme unless the path, query or fragment has begun. */
const scheme = /^[^/?#:]*:/;
const linkSchemes = /^(?:https?|ftps?|mailto|tel):$/i;
const imageSchemes = /^https?:$/i;

function addressWith(schemes: RegExp): Rule {
  return (value) => {
    const address = bareAddress(value);
    const found = scheme.exec(address)?.[0];
    return address !== '' && (found === undefined || schemes.test(found)) ? address : undefined;
  };
}

const linkAddress = addressWith(linkSchemes);
const imageAddress = addressWith(imageSchemes);
/** A browser takes `\` for `/`, and two of them for the start of a host name. */
const leavesSite = (address: string) => /^(?:https?:|ftps?:|[/\\]{2})/i.test(address);

const colour = /^(?:#[\da-f]{3,8}|[a-z]{3,24}|rgba?\([\d\s.,%/]{5,40}\))$/;
/** Looks of the text itself. Nothing here takes room, moves or covers anything. */
const styles: Readonly<Record<string, RegExp>> = {
  'text-align': /^(?:left|right|center|justify|start|end)$/,
  color: colour,
  'background-color': colour,
  'font-weight': /^(?:normal|bold|bolder|lighter|[1-9]00)$/,
  'font-style': /^(?:normal|italic|oblique)$/,
  'text-decoration': /^(?:none|underline|line-through)$/,
};

function isSafeDeclaration(property: string, value: string): boolean {
  return Object.hasOwn(styles, property) && styles[property]?.test(value) === true;
}

const style: Rule = (value) => {
  const safe: string[] = [];
  for (const declaration of value.toLowerCase().split(';')) {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, Math.max(colon, 0)).trim();
    const look = declaration.slice(colon + 1).trim();
    if (isSafeDeclaration(property, look)) safe.push(`${property}:${look}`);
  }
  return safe.length === 0 ? undefined : safe.join(';');
};

const small = matching(/^[1-9]\d{0,2}$/);
const length = matching(/^\d{1,4}%?$/);
const alignment = matching(/^(?:left|right|center|justify)$/i);
const language = matching(/^language-[\w+#.-]{1,40}$/);
const cell = { colspan: small, rowspan: small, align: alignment };

const everywhere: Readonly<Record<string, Rule>> = {
  title: anything,
  lang: matching(/^[a-zA-Z\d-]{1,35}$/),
  dir: matching(/^(?:ltr|rtl|auto)$/i),
  style,
};

const byElement: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  a: { href: linkAddress, class: matching(/^cross-reference$/) },
  img: { src: imageAddress, alt: anything, width: length, height: length },
  ol: { start: matching(/^-?\d{1,9}$/), reversed: present, type: matching(/^[1aAiI]$/) },
  li: { value: matching(/^-?\d{1,9}$/) },
  td: cell,
  th: { ...cell, scope: matching(/^(?:row|col|rowgroup|colgroup)$/i) },
  col: { span: small },
  colgroup: { span: small },
  details: { open: present },
  time: { datetime: matching(/^[\w:.+ -]{1,40}$/) },
  code: { class: language },
  pre: { class: language },
};

/** Without these an element says nothing. */
const required: Readonly<Record<string, string>> = { a: 'href', img: 'src' };

function ruleFor(element: string, name: string): Rule | undefined {
  const own = byElement[element];
  if (own !== undefined && Object.hasOwn(own, name)) return own[name];
  return Object.hasOwn(everywhere, name) ? everywhere[name] : undefined;
}

function safeAttributes(element: string, attributes: Attributes): Map<string, string> {
  const safe = new Map<string, string>();
  for (const [name, written] of attributes) {
    const rule = ruleFor(element, name);
    const value = rule?.(written.includes('&') ? decodeHTMLAttribute(written) : written);
    if (value !== undefined) safe.set(name, value);
  }
  return safe;
}

function addPrivacy(element: string, attributes: Map<string, string>): void {
  if (element === 'a' && leavesSite(attributes.get('href') ?? '')) {
    attributes.delete('class');
    attributes.set('rel', outwardRel);
  }
  if (element === 'img' && leavesSite(attributes.get('src') ?? ''))
    attributes.set('referrerpolicy', 'no-referrer');
}

/** The attributes of an allowed element as they may be written; undefined when it is nothing without those it lost. */
export function writeAttributes(element: string, attributes: Attributes): string | undefined {
  const safe = attributes.size === 0 ? undefined : safeAttributes(element, attributes);
  const needed = required[element];
  if (needed !== undefined && !safe?.has(needed)) return undefined;
  if (safe === undefined) return '';
  addPrivacy(element, safe);
  let written = '';
  for (const [name, value] of safe) written += ` ${name}="${escapeAll(value)}"`;
  return written;
}
