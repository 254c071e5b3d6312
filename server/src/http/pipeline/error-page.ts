import { reasonPhrases } from '@atelier/contract';

/** What a body is, where there is one. */
export interface Text {
  readonly type: string;
  readonly content: string;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** A page for people who followed a link. */
export function errorPage(status: number, words: string): Text {
  const phrase = reasonPhrases[status] ?? 'Error';
  const lines = [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${status} ${phrase}</title></head>`,
    `<body><h1>${phrase}</h1><p>${escaped(words)}</p></body>`,
    '</html>',
  ];
  return { type: 'text/html; charset=utf-8', content: `${lines.join('\n')}\n` };
}
