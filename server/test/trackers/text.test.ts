import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReferenceCandidate } from '../../src/projects/index.ts';
import { plainText, prepareText, renderText, type TextFormat } from '../../src/trackers/text/index.ts';
import { anySign } from '../fixtures/text.ts';

const formats: readonly TextFormat[] = ['text', 'html', 'commonmark'];

/** Knows two keywords, as a project with a tracker named "bug" would. */
function resolve({ keyword, value }: ReferenceCandidate): string | undefined {
  return ['art', 'bug'].includes(keyword) ? `/goto?key=${keyword}&val=${value}&group_id=101` : undefined;
}

const render = (content: string, format: TextFormat) => renderText(content, format, resolve);
const html = (content: string) => render(content, 'html');
const markdown = (content: string) => render(content, 'commonmark').trimEnd();

const link = (keyword: string, id: number) =>
  `<a href="/goto?key=${keyword}&amp;val=${id}&amp;group_id=101" class="cross-reference">${keyword} #${id}</a>`;
const outward = (address: string, label = address) =>
  `<a href="${address}" rel="noreferrer noopener">${label}</a>`;

const allowedElements = new Set(
  (
    'a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure ' +
    'h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td ' +
    'tfoot th thead time tr u ul var wbr'
  ).split(' '),
);
const allowedAttributes = new Set(
  (
    'href class rel src alt width height referrerpolicy title lang dir style start reversed type value colspan ' +
    'rowspan align scope span open datetime'
  ).split(' '),
);
const safeStyle =
  /^(?:(?:text-align|color|background-color|font-weight|font-style|text-decoration):[^;:]+(?:;|$))+$/;
const voids = new Set(['br', 'col', 'hr', 'img', 'wbr']);
const part = /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)>|[^<>]+/y;

function checkAttribute(name: string, value: string): void {
  expect(allowedAttributes).toContain(name);
  if (name === 'style') expect(value).toMatch(safeStyle);
  if (name === 'class') expect(value).toMatch(/^(?:cross-reference|language-.*)$/);
  if (name === 'href') expect(value).toMatch(/^(?:(?:https?|ftps?|mailto|tel):|[^:]*$|[^:]*[/?#])/i);
  if (name === 'src') expect(value).toMatch(/^(?:https?:|[^:]*$|[^:]*[/?#])/i);
}

/** Reads HTML by a grammar that leaves a browser nothing to guess, and fails on anything that could do harm. */
function checkSafe(output: string): void {
  const open: string[] = [];
  for (let at = 0; at < output.length; at = part.lastIndex) {
    part.lastIndex = at;
    const match = part.exec(output);
    if (match === null) throw new Error(`This is not well formed: ${output.slice(at)}`);
    const [whole, slash, name, attributes = ''] = match;
    expect(whole).not.toMatch(/&(?!(?:amp|lt|gt|quot|#039);)/);
    if (name === undefined) continue;
    expect(allowedElements).toContain(name);
    for (const [, key = '', value = ''] of attributes.matchAll(/ ([a-z]+)="([^"]*)"/g))
      checkAttribute(key, value);
    if (slash === '/') expect(open.pop()).toBe(name);
    else if (!voids.has(name)) open.push(name);
  }
  expect(open).toEqual([]);
}

describe('a plain text', () => {
  test('is escaped and keeps its lines', () => {
    expect(render('a < b && "c"\n\'d\'', 'text')).toBe('a &lt; b &amp;&amp; &quot;c&quot;\n&#039;d&#039;');
  });

  test('gets links for references that lead somewhere', () => {
    expect(render('see art #12, bug #3 & foo #4', 'text')).toBe(
      `see ${link('art', 12)}, ${link('bug', 3)} &amp; foo #4`,
    );
  });

  test('gets a link where a reference stands, not where its letters stand', () => {
    expect(render('éart #12 xart #12 art #12é art #123 art #12', 'text')).toBe(
      `éart #12 xart #12 art #12é ${link('art', 123)} ${link('art', 12)}`,
    );
  });

  test.each([
    ['http://a.example/b?c=d', 'http://a.example/b?c=d', ''],
    ['https://a.example/b.', 'https://a.example/b', '.'],
    ['HTTPS://a.example/b_(c)', 'HTTPS://a.example/b_(c)', ''],
    ['http://a.example/b).', 'http://a.example/b', ').'],
  ])('gets a link for the address in %s', (text, address, rest) => {
    expect(render(`(see ${text}`, 'text')).toBe(`(see ${outward(address)}${rest}`);
  });

  test.each(['http://', 'xhttp://a', 'javascript://a', 'http//a'])('gets none for %s', (text) => {
    expect(render(text, 'text')).toBe(text);
  });
});

describe('HTML', () => {
  test('keeps what shows and loses what acts', () => {
    expect(html('<p onclick="x()">a <b id=b>b</b><script>c</script> <font>d</font><!-- e --></p>')).toBe(
      '<p>a <b>b</b> d</p>',
    );
  });

  test('gets links for references in its text, but not in links and code', () => {
    expect(html('<b>art&nbsp;#1</b> <a href="/x">art #2</a> <code>art #3</code><pre>art #4</pre>')).toBe(
      `<b>${link('art', 1).replace('art #1', 'art\u00a0#1')}</b> <a href="/x">art #2</a> <code>art #3</code><pre>art #4</pre>`,
    );
  });

  test('keeps colours and alignment of its styles', () => {
    expect(html('<p style="COLOR: #f00; position:fixed; text-align : center;width:100%">a</p>')).toBe(
      '<p style="color:#f00;text-align:center">a</p>',
    );
  });

  test.each([
    ['https://a.example/', ' rel="noreferrer noopener"'],
    ['//a.example/', ' rel="noreferrer noopener"'],
    ['/\\a.example/', ' rel="noreferrer noopener"'],
    ['/plugins/tracker/?aid=1', ''],
    ['#top', ''],
    ['mailto:a@b.example', ''],
  ])('with a link to %s tells outside pages nothing', (href, rel) => {
    expect(html(`<a href="${href}" target=_blank rel=opener>a</a>`)).toBe(`<a href="${href}"${rel}>a</a>`);
  });

  test.each([
    ['<b>a', '<b>a</b>'],
    ['a</div></b>', 'a'],
    ['<b><i>a</b>b</i>', '<b><i>a</i></b>b'],
    ['<p>a<p>b<ul><li>c<li>d</ul>', '<p>a</p><p>b</p><ul><li>c</li><li>d</li></ul>'],
    ['<table><td>a<tr>b</table>', '<table><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody></table>'],
    ['<td>a<li>b<dd>c<tr>d<summary>e', 'abcde'],
    ['<a href=x>a<a href=y>b', '<a href="x">a</a><a href="y">b</a>'],
    ['<section>a</section>', '<div>a</div>'],
    ['a < b <c', 'a &lt; b &lt;c'],
    ['<a name=x>a</a><img alt=b>', 'a'],
    ['art <x>&#35;12</x>', link('art', 12)],
    ['http://a.example/', 'http://a.example/'],
  ])('of the form %s comes out whole', (source, expected) => {
    expect(html(source)).toBe(expected);
  });
});

describe('Markdown', () => {
  test.each([
    ['**a** _b_ ~~c~~ `d`', '<p><strong>a</strong> <em>b</em> <s>c</s> <code>d</code></p>'],
    ['- [ ] a\n- [x] b', '<ul>\n<li>☐ a</li>\n<li>☑ b</li>\n</ul>'],
    ['```js\na < b\n```', '<pre><code class="language-js">a &lt; b\n</code></pre>'],
    ['[a](/b "c")', '<p><a href="/b" title="c">a</a></p>'],
    ['![a](/b.png)', '<p><img src="/b.png" alt="a"></p>'],
    ['![a](http://b.example/)', '<p><img src="http://b.example/" alt="a" referrerpolicy="no-referrer"></p>'],
    ['[a](javascript:b)', '<p>[a](javascript:b)</p>'],
    ['a<br>b <kbd>c</kbd>', '<p>a<br>b <kbd>c</kbd></p>'],
    ['a List<String> <script>b', '<p>a List&lt;String&gt; &lt;script&gt;b</p>'],
    ['<div>\n\n**a**', '<div>\n<p><strong>a</strong></p></div>'],
  ])('%s', (source, expected) => {
    expect(markdown(source).replace(/\n<\/div>/, '</div>')).toBe(expected);
  });

  test('has tables with aligned columns', () => {
    expect(markdown('|a|\n|-:|\n|b|')).toContain('<td style="text-align:right">b</td>');
  });

  test('gets links for references and addresses, but not in code', () => {
    expect(markdown('**art #1** `art #2` [art #3](/x) http://a.example/_b_/*c*d.')).toBe(
      `<p><strong>${link('art', 1)}</strong> <code>art #2</code> <a href="/x">art #3</a> ${outward('http://a.example/_b_/*c*d')}.</p>`,
    );
  });

  test.each([
    ['lists', '- a\n'],
    ['brackets', '!['],
    ['table cells', '|a|b|\n|-|-|\n|c|d|\n\n'],
    ['uses of one long address', `[a]: ${'b'.repeat(20_000)}\n\n${'[a]'.repeat(15_000)}`],
  ])('with too many %s is shown as it was written', (_, source) => {
    const content = source.repeat(Math.ceil(65_535 / source.length)).slice(0, 65_535);
    expect(markdown(content)).toBe(`<pre>${content}</pre>`);
  });
});

describe('the words alone', () => {
  test.each<[TextFormat, string, string]>([
    ['text', 'a <b> &amp;', 'a <b> &amp;'],
    ['html', '<p>a <b>b</b></p>\n<p>c&amp;d<br>e</p><style>f</style>', 'a b\nc&d\ne'],
    ['html', '<table><tr><td>a</td><td>b</td></tr></table><img src=x alt="c">', 'a b\nc'],
    ['commonmark', '# a\n\n*b* `c`\n- d\n\n```\ne  f\n```', 'a\nb c\nd\ne  f'],
  ])('of %s %s', (format, content, words) => {
    expect(plainText(content, format)).toBe(words);
  });
});

test('a caller learns beforehand which references will be asked about', () => {
  const content = 'closes art #1, `art #2`, foo #3:4';
  const asked: ReferenceCandidate[] = [];
  renderText(content, 'commonmark', (candidate) => {
    asked.push(candidate);
    return undefined;
  });
  expect(asked).toEqual([...prepareText(content, 'commonmark').candidates]);
  expect(asked).toEqual([
    { text: 'art #1', keyword: 'art', project: undefined, value: '1', context: 'closes' },
    { text: 'foo #3:4', keyword: 'foo', project: '3', value: '4', context: '' },
  ]);
  expect(prepareText(content, 'commonmark').render(resolve)).toBe(render(content, 'commonmark'));
});

test('a text that is nothing but references gets links for the first thousand', () => {
  const output = render('art #1 '.repeat(3000), 'text');
  expect(output.split('</a>')).toHaveLength(1001);
  expect(output).toMatch(/art #1 $/);
});

const vectors = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//x.example></sCrIpT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img/src="x"/onerror=alert(1)//',
  '<img """><script>alert(1)</script>">',
  '<img src=javascript:alert(1)>',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<svg onload=alert(1)>',
  '<svg><a xlink:href="javascript:alert(1)"><text>a</text></a></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<a href="javascript:alert(1)">a</a>',
  '<a href="JaVaScRiPt:alert(1)">a</a>',
  '<a href=" &#14; javascript:alert(1)">a</a>',
  '<a href="java\tscript:alert(1)">a</a>',
  '<a href="java&#10;script&colon;alert(1)">a</a>',
  '<a href="&#106;&#97vascript&#x3a;alert(1)">a</a>',
  '<a href="\u0001javascript:alert(1)">a</a>',
  '<a href="vbscript:msgbox(1)">a</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD4=">a</a>',
  '<a href="x" onmouseover="alert(1)">a</a>',
  "<a href='x' onclick\n=\n'alert(1)'>a</a>",
  '<a href="x"title="a"onclick="alert(1)">a</a>',
  '<a title="a&quot; onclick=&quot;alert(1)" href=x>a</a>',
  '<div style="background:url(javascript:alert(1))">a</div>',
  '<div style="width:expression(alert(1))">a</div>',
  '<div style="position:fixed;top:0;left:0;width:100%;height:100%;z-index:9">a</div>',
  '<div style="color:red/**/;behavior:url(x)">a</div>',
  '<style>body{display:none}</style>',
  '<link rel=stylesheet href=//x.example>',
  '<meta http-equiv=refresh content="0;url=//x.example">',
  '<base href="//x.example">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
  '<form action=//x.example><input name=password><button formaction="javascript:alert(1)">a</form>',
  '<details open ontoggle=alert(1)>a</details>',
  '<video><source onerror="alert(1)"></video><audio src=x onerror=alert(1)>',
  '<body onload=alert(1)><frameset onload=alert(1)>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea><img title="</textarea><img src onerror=alert(1)>"></textarea>',
  '<title><a title="</title><img src=x onerror=alert(1)>">',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!-- --!><img src=x onerror=alert(1)>',
  '<?xml ?><img src=x onerror=alert(1)>',
  '</><img src=x onerror=alert(1)>',
  '<img src=x onerror="alert(1)',
  '<<img src=x onerror=alert(1)//<',
  '<x onclick=alert(1) id=location name=attributes>a</x>',
  '[a](javascript:alert(1)) [b](<java\nscript:alert(1)>) ![c](data:text/html,x) <javascript:alert(1)>',
  '[a]( javascript&colon;alert(1) "b") [c](\u0001javascript:alert(1))',
  '[a](https://x.example/"onclick="alert(1)) ![b](x "\\"onerror=\\"alert(1)")',
  '```"><img src=x onerror=alert(1)>\na\n```',
  'http://x.example/"onclick="alert(1) http://x.example/<img src=x onerror=alert(1)>',
  'art #1"onclick="alert(1) art #<script>',
];

test.each(vectors)('nothing comes of %s', (vector) => {
  for (const format of formats) checkSafe(render(vector, format));
});

const fragments = [
  ...vectors,
  ...[...allowedElements].flatMap((name) => [`<${name}>`, `</${name}>`]),
  ...[
    '<',
    '>',
    '"',
    "'",
    '&',
    '&#',
    '=',
    '/',
    '`',
    '*',
    '_',
    '~~',
    '[',
    '](',
    ')',
    '|',
    '\n',
    '\n\n',
    '    ',
  ],
  ...['- ', '> ', '# ', '```', '|-|-|', 'art #12', 'http://a.example', '<!--', '-->', '\0', '\u{1f600}'],
];
const soup = fc.array(fc.oneof(fc.constantFrom(...fragments), fc.string()), { maxLength: 25 });
const anyText = fc.oneof(
  soup.map((pieces) => pieces.join('')),
  fc.string({ unit: anySign, maxLength: 200 }),
);

describe.each(formats)('whatever is written as %s', (format) => {
  test('comes out safe and well formed, and its words can be told', () => {
    const check = (content: string) => {
      checkSafe(render(content, format));
      expect(plainText(content, format)).toBeTypeOf('string');
    };
    fc.assert(fc.property(anyText, check), { numRuns: 300 });
  });

  test('stays as it is when it is sanitised again', () => {
    // A plain text has its quotes escaped, which HTML does not need.
    const seen = (output: string) => (format === 'text' ? plainText(output, 'html') : output);
    const check = (content: string) => {
      const output = render(content, format);
      expect(seen(html(output))).toBe(seen(output));
    };
    fc.assert(fc.property(anyText, check), { numRuns: 300 });
  });
});

test.each([
  ...['[', '![a](', '[a](<b', '*a*a', '**a *a ', '_a ', '~~a', '`a``b', '<', '<!--', '<a ', '<a b="', '<a:'],
  ...['<div>', '</a>', '<b>a</i>', '<table>', '<ul><li>', '<script>', '> ', '- ', '|\n', '&', '\\', 'a #1 '],
  ...['http://', 'http://a(', '[a]: b\n', '[a]: b "\n', '<![CDATA[', 'a <?', '\t', 'a@', '<p style="color:'],
])('65 535 bytes of %s come to an end', (piece) => {
  const content = piece.repeat(65_535 / piece.length);
  for (const format of formats) {
    const output = render(content, format);
    expect(output.length).toBeLessThan(12 * 65_535);
    expect(plainText(content, format)).toBeTypeOf('string');
  }
});
