/** What a part of code is; each has a colour of its own. */
export type TokenKind = 'word' | 'text' | 'number' | 'type' | 'function' | 'comment';

/** A part of a line; `kind` is absent where it is plain. */
export interface Token {
  readonly kind?: TokenKind | undefined;
  readonly text: string;
}

export type TokenLine = readonly Token[];

/** The words of the highlighter for the six kinds; whatever it names besides is plain. */
const kinds: Readonly<Record<string, TokenKind>> = {
  'hljs-keyword': 'word',
  'hljs-selector-tag': 'word',
  'hljs-meta': 'word',
  'hljs-name': 'word',
  'hljs-tag': 'word',
  'hljs-section': 'word',
  'hljs-operator': 'word',
  'hljs-string': 'text',
  'hljs-regexp': 'text',
  'hljs-addition': 'text',
  'hljs-link': 'text',
  'hljs-quote': 'comment',
  'hljs-number': 'number',
  'hljs-literal': 'number',
  'hljs-symbol': 'number',
  'hljs-bullet': 'number',
  'hljs-variable constant_': 'number',
  'hljs-type': 'type',
  'hljs-title class_': 'type',
  'hljs-title class_ inherited__': 'type',
  'hljs-built_in': 'type',
  'hljs-attr': 'type',
  'hljs-attribute': 'type',
  'hljs-selector-class': 'type',
  'hljs-selector-id': 'type',
  'hljs-title function_': 'function',
  'hljs-title function_ invoke__': 'function',
  'hljs-title': 'function',
  'hljs-comment': 'comment',
  'hljs-doctag': 'comment',
};

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};
const plainText = (html: string) =>
  html.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (one) => entities[one] ?? one);

/** Lines of parts, from what the highlighter writes: texts between spans that may hold others and go over lines. */
export function tokenLines(html: string): Token[][] {
  const lines: Token[][] = [[]];
  const open: (TokenKind | undefined)[] = [];
  for (const [, name, end, text] of html.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g)) {
    if (name !== undefined) open.push(kinds[name] ?? open.at(-1));
    else if (end !== undefined) open.pop();
    else
      for (const [index, part] of plainText(text ?? '')
        .split('\n')
        .entries()) {
        if (index > 0) lines.push([]);
        if (part !== '') lines.at(-1)?.push({ kind: open.at(-1), text: part });
      }
  }
  return lines;
}
