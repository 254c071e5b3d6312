import fc from 'fast-check';

/*
 * Attempts to get something past a sanitiser: what acts, dressed in what parsers of HTML disagree about. Whatever acts
 * calls alert, so that a browser in which it did can tell.
 */

const act = 'alert(1)';

/** Each acts in a browser when it is let through as it is. */
const payloads = [
  `<img src=x onerror=${act}>`,
  `<img src=x: onerror=${act}>`,
  `<script>${act}</script>`,
  `<script src=//foreign.example/x.js></script>`,
  `<svg onload=${act}>`,
  `<svg><script>${act}</script></svg>`,
  `<svg><style><img src=x onerror=${act}></style></svg>`,
  `<svg><animate onbegin=${act} attributeName=x dur=1s>`,
  `<svg><a><animate attributeName=href values=javascript:${act} /><text x=20 y=20>a</text></a>`,
  `<svg><set href=#x attributeName=href to=javascript:${act} /></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><script>${act}</script></svg>#x">`,
  `<svg><foreignObject><img src=x onerror=${act}></foreignObject></svg>`,
  `<math><a xlink:href="javascript:${act}">a</a></math>`,
  `<math href="javascript:${act}"><mi>a</mi></math>`,
  `<math><annotation-xml encoding="text/html"><img src=x onerror=${act}></annotation-xml></math>`,
  `<details open ontoggle=${act}><summary>a</summary></details>`,
  `<iframe srcdoc="<script>parent.${act}</script>"></iframe>`,
  `<iframe src="javascript:parent.${act}"></iframe>`,
  `<object data="javascript:${act}"></object>`,
  `<embed src="javascript:${act}">`,
  `<video src=x onerror=${act}></video>`,
  `<audio><source src=x onerror=${act}></audio>`,
  `<input autofocus onfocus=${act}>`,
  `<select autofocus onfocus=${act}></select>`,
  `<p tabindex=0 autofocus onfocus=${act}>a</p>`,
  `<body onload=${act} onpageshow=${act}>`,
  `<marquee onstart=${act}>a</marquee>`,
  `<style>@import "//foreign.example/a.css"; body{background:url(//foreign.example/b.png)}</style>`,
  `<style onload=${act}></style>`,
  `<link rel=stylesheet href=//foreign.example/c.css onerror=${act}>`,
  `<link rel=preload as=image href=//foreign.example/d.png>`,
  `<meta http-equiv=refresh content="0;url=//foreign.example/e">`,
  `<base href="//foreign.example/">`,
  `<p style="animation:x 1s;background:url(//foreign.example/f.png)" onanimationstart=${act}>a</p>`,
  `<p style="color:red;position:fixed;inset:0;z-index:9;width:expression(${act})">a</p>`,
  `<p style="color:\\72 ed;back\\67round-image:u\\72l(//foreign.example/g.png)">a</p>`,
  `<p style="background-color:rgb(0,0,0);/*;*/position:fixed/*;color:red">a</p>`,
  `<a href="javascript:${act}" autofocus onfocus=${act}>a</a>`,
  `<a href="data:text/html,<script>${act}</script>" ping=//foreign.example/h>a</a>`,
  `<a href="x" style="color:red" target=_top download onclick=${act}>a</a>`,
  `<form action="javascript:${act}"><button formaction="javascript:${act}">a</button></form>`,
  `<table background="//foreign.example/i.png"><td background="//foreign.example/j.png">a</table>`,
  `<img src="//foreign.example/k.png" srcset="//foreign.example/l.png 2x" referrerpolicy=unsafe-url>`,
  `<img src="x" lowsrc="javascript:${act}" dynsrc="javascript:${act}" usemap=#m><map name=m><area href="javascript:${act}"></map>`,
  `<image href=x onerror=${act}>`,
  `<template shadowrootmode=open><img src=x onerror=${act}></template>`,
  `<noscript><img src=x onerror=${act}></noscript>`,
  `<portal src=//foreign.example/m></portal><fencedframe></fencedframe>`,
  `<div id=top name=alert class=x>a</div><form id=location><input name=href></form>`,
];

/** Ways to begin something in which parsers are in another state, and ways in which it may end. */
const states: readonly (readonly [opening: string, endings: readonly string[]])[] = [
  ['<svg>', ['</svg>', '</p>', '<p>', '</br>', '']],
  ['<svg><title>', ['</title></svg>', '</svg>', '<p>']],
  ['<svg><desc>', ['</desc>', '</svg>']],
  ['<svg><style>', ['</style>', '</svg>', '<p>', '']],
  ['<svg><![CDATA[', [']]>', ']]></svg>', '']],
  ['<svg></p><style><a id="', ['</style>', '">', '']],
  ['<svg><foreignObject>', ['</foreignObject>', '</svg>', '']],
  ['<math>', ['</math>', '<p>', '']],
  ['<math><mtext>', ['</mtext>', '</math>', '']],
  ['<math><mtext><table><mglyph><style>', ['</style>', '</math>', '</table>', '']],
  ['<math><mtext><mglyph>', ['</mglyph>', '</math>']],
  ['<math><mi><malignmark>', ['</malignmark>', '']],
  ['<math><annotation-xml encoding="text/html">', ['</annotation-xml>', '</math>', '']],
  ['<math><annotation-xml encoding="application/xhtml+xml"><svg>', ['</svg>', '']],
  ['<form><math><mtext></form><form><mglyph><style></math>', ['</style>', '</form>', '']],
  ['<noscript>', ['</noscript>', '']],
  ['<noscript><style>', ['</noscript>', '</style>', '']],
  ['<noscript><p title="', ['</noscript>', '">', '']],
  ['<template>', ['</template>', '']],
  ['<style>', ['</style>', '</style ', '']],
  ['<style><!--', ['</style>', '--></style>', '']],
  ['<script>', ['</script>', '</script\n', '']],
  ['<script><!--<script>', ['</script>', '--></script>', '']],
  ['<textarea>', ['</textarea>', '</textarea/', '']],
  ['<textarea><p title="', ['</textarea>', '"></textarea>', '']],
  ['<title>', ['</title>', '']],
  ['<xmp>', ['</xmp>', '']],
  ['<iframe>', ['</iframe>', '']],
  ['<noembed>', ['</noembed>', '']],
  ['<noframes>', ['</noframes>', '']],
  ['<plaintext>', ['</plaintext>', '']],
  ['<select>', ['</select>', '<input>', '']],
  ['<select><option><style>', ['</style></select>', '']],
  ['<table>', ['</table>', '']],
  ['<table><caption>', ['</caption>', '</table>']],
  ['<table><tr><td><table>', ['</table>', '</td></tr></table>', '']],
  ['<a href=x><table><a href=y>', ['</a>', '</table>', '']],
  ['<a href=x>', ['</a>', '<a href=y>', '']],
  ['<b><p><i>', ['</b>', '</i></p>', '']],
  ['<ul><li>', ['</li></ul>', '<li>', '</ul>']],
  ['<dl><dt>', ['<dd>', '</dl>']],
  ['<h1>', ['<h2>', '</h1>', '</h3>']],
  ['<pre>\n', ['</pre>', '\n</pre>']],
  ['<details><summary>', ['</summary>', '</details>']],
  ['<button>', ['</button>', '<button>', '']],
  ['<frameset>', ['</frameset>', '']],
  ['<!--', ['-->', '--!>', '-- >', '->', '']],
  ['<!-->', ['-->', '']],
  ['<!--->', ['-->', '']],
  ['<!-- --!', ['>', '-->']],
  ['<!', ['>', '']],
  ['<?', ['?>', '>', '']],
  ['</', ['>', '']],
  ['</ ', ['>', '']],
  ['<![CDATA[', [']]>', '>', '']],
  ['<!DOCTYPE html [', [']>', '>']],
  ['<p title="', ['">', '"', '\'>">']],
  ["<p title='", ["'>", "'"]],
  ['<p title=`', ['`>', '`']],
  ['<p title=', ['>', '']],
  ['<p/', ['>', '/>']],
  ['<p x="', ['"y=">', '"/>']],
  ['<a href="', ['">', '"x>']],
  ['<img alt="', ['">', '" src=x>']],
  ['<x-y is="', ['">', '"><p>']],
  ['<a:b xmlns:a="http://www.w3.org/2000/svg">', ['</a:b>', '']],
  ['<svg:svg>', ['</svg:svg>', '']],
  ['[', ['](x)', '](javascript:alert(1))', ']: x']],
  ['![', ['](x "t")', '](javascript:alert(1))']],
  ['`', ['`', '']],
  ['```\n', ['\n```', '']],
  ['<', ['>', '']],
  ['> - ', ['\n\n', '']],
  ['|a|b|\n|-|-|\n|', ['|c|\n', '\n']],
];

const named: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  ':': '&colon;',
  '(': '&lpar;',
  '"': '&quot;',
  "'": '&apos;',
  '&': '&amp;',
  '/': '&sol;',
  '=': '&equals;',
};
const asEntity = (character: string) => named[character] ?? `&#${character.codePointAt(0)};`;
const atAddress = (text: string, between: string) => text.replace(/javascript/gi, `java${between}script`);

/** Ways to write the same in another way, some of which browsers do not mind. */
const disguises: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text,
  (text) => text,
  (text) => text.replace(/[a-z]/g, (letter, index) => (index % 2 === 0 ? letter.toUpperCase() : letter)),
  (text) => text.replace(/ (?=\w+=)/g, '/'),
  (text) => text.replace(/ (?=\w+=)/g, '\n'),
  (text) => text.replace(/ (?=\w+=)/g, '\f\t'),
  (text) => text.replace(/=/g, ' = '),
  (text) => text.replace(/on(\w+)=/g, 'on$1\u0001='),
  (text) => text.replace(/on(\w+)=/g, '"on$1='),
  (text) => text.replace(/>$/, ''),
  (text) => text.replace(/>/g, '/>'),
  (text) => text.replace(/</g, '<<'),
  (text) => text.replace(/<(\w)/g, '<\u0001$1'),
  (text) => text.replace(/<(\w)(\w*)/g, '<$1\u0001$2'),
  (text) => text.replace(/<(\w+)/g, '<$1 $1="<$1>"'),
  (text) => text.replace(/[<>]/g, asEntity),
  (text) => text.replace(/[<>"':(=]/g, asEntity),
  (text) => text.replace(/[<>]/g, asEntity).replace(/&/g, '&amp;'),
  (text) => text.replace(/[<>"]/g, (character) => `&#x${character.codePointAt(0)?.toString(16)}`),
  (text) => text.replace(/[<>"]/g, (character) => `&#0000${character.codePointAt(0)};`),
  (text) => atAddress(text, '&Tab;'),
  (text) => atAddress(text, '&NewLine;'),
  (text) => atAddress(text, '\t'),
  (text) => atAddress(text, '\r\n'),
  (text) => atAddress(text, '\u0001'),
  (text) => atAddress(text, '&#0;'),
  (text) => atAddress(text, '\u00ad'),
  (text) => text.replace(/javascript:/gi, '\u0001javascript:'),
  (text) => text.replace(/javascript:/gi, '&#32;&#14;javascript&colon;'),
  (text) => text.replace(/javascript:/gi, 'java\u017fcript:'),
  (text) => text.replace(/javascript:/gi, 'javascript&#58'),
  (text) => text.replace(/javascript:/gi, 'view-source:javascript:'),
  (text) => text.replace(/javascript:/gi, 'blob:javascript:'),
  (text) => text.replace(/script/gi, '\u017fcript'),
  (text) => text.replace(/k/gi, '\u212a'),
  (text) => text.replace(/"/g, '`'),
  (text) => text.replace(/"/g, ''),
];

const payload = fc
  .tuple(fc.constantFrom(...payloads), fc.array(fc.constantFrom(...disguises), { maxLength: 3 }))
  .map(([text, chosen]) => chosen.reduce((dressed, disguise) => disguise(dressed), text));

const state = fc
  .constantFrom(...states)
  .chain(([opening, endings]) => fc.tuple(fc.constant(opening), fc.constantFrom(...endings)));

/** States in one another, the payload inside them or after the end of one of them. */
const nested = fc
  .tuple(fc.array(state, { minLength: 1, maxLength: 4 }), payload, payload, fc.boolean())
  .map(([chosen, inner, outer, endsEarly]) => {
    const openings = chosen.map(([opening]) => opening).join('');
    const endings = chosen.map(([, ending]) => ending);
    if (!endsEarly) endings.reverse();
    return `${openings}${inner}${endings.join(outer)}${outer}`;
  });

/** A payload that waits in an attribute for somebody to write it anew without its quotes. */
const waiting = fc
  .tuple(state, payload, fc.constantFrom('title', 'alt', 'href', 'style', 'class', 'id', 'lang', 'datetime'))
  .map(([[opening, ending], text, name]) => {
    const quoted = text.replace(/"/g, '&quot;');
    return `${opening}<p><a href=x ${name}="${ending}${quoted}">a</a><img src=x ${name}="--&gt;${quoted}">`;
  });

/** Anything, next to anything. */
const soup = fc
  .array(
    fc.oneof(
      payload,
      state.map(([opening]) => opening),
      state.map(([, ending]) => ending),
      fc.constantFrom('<', '>', '"', "'", '&', '&#', '=', '/', '\u0001', '\n\n', '-->', ']]>', '`', '\ufeff'),
    ),
    { minLength: 2, maxLength: 12 },
  )
  .map((parts) => parts.join(''));

export const sanitiserVector = fc.oneof(
  payload,
  { arbitrary: nested, weight: 5 },
  { arbitrary: waiting, weight: 2 },
  { arbitrary: soup, weight: 3 },
);
