import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { FilterXSS } from 'xss';
import { type Known, nothingKnown } from '#shared/markdown/known.ts';
import { loadParts } from '#shared/markdown/load-parts.ts';
import { findReferences } from '#shared/markdown/references.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import { sanitizeHtml } from '#shared/markdown/sanitize.ts';

const BLOCK_TAGS = 'blockquote div h1 h2 h3 h4 h5 h6 hr li ol p pre table tbody td th thead tr ul';
const MATH_TAGS =
  'annotation line math menclose merror mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle ' +
  'msub msubsup msup mtable mtd mtext mtr munder munderover path semantics svg';
const TAGS = new Set(`a br code del em img span strong time ${BLOCK_TAGS} ${MATH_TAGS}`.split(' '));
const VOID_TAGS = new Set(['br', 'hr', 'img']);
/** Lengths and names: nothing with brackets, and nothing that leads anywhere. */
const PLAIN = /^[\w\s.,%#+-]*$/;
const DECLARATIONS = /^(([a-z-]+:[\w\s.%#-]+);?)*$/;
const ALIGNMENT = /^text-align:(left|center|right)$/;
const ATTRIBUTES: Record<string, RegExp> = {
  'a href': /^(https?:\/\/|mailto:|\/?#narrow\/|\/user_uploads\/)[^\s<>"]+$/i,
  'a class': /^(stream|stream-topic|message-link)$/,
  'a data-stream-id': /^\d+$/,
  'a title': /^[^<>"]*$/,
  'annotation encoding': /^application\/x-tex$/,
  'div aria-hidden': /^true$/,
  'img alt': /^:[\w+-]+:$/,
  'img class': /^emoji$/,
  'img src': /^\/(user_avatars|static)\/[\w./-]+$/,
  'img title': /^[\w +-]+$/,
  'math display': PLAIN,
  'math xmlns': /^http:\/\/www\.w3\.org\/1998\/Math\/MathML$/,
  'span aria-hidden': /^true$/,
  'span aria-label': /^[\w +-]+$/,
  'span class': PLAIN,
  'span data-user-group-id': /^\d+$/,
  'span data-user-id': /^(\d+|\*)$/,
  'span role': /^img$/,
  'span style': DECLARATIONS,
  'span title': /^[\w +-]+$/,
  'svg style': DECLARATIONS,
  'svg xmlns': /^http:\/\/www\.w3\.org\/2000\/svg$/,
  'time datetime': /^[\d-]+T[\d:]+Z$/,
  'div class': /^(codehilite|spoiler-(block|header|content))$/,
  'div data-code-language': /^[^<>"]+$/,
  'ol start': /^\d+$/,
  'td style': ALIGNMENT,
  'th style': ALIGNMENT,
};

type Tag = { name: string; closing: boolean };

/** Attributes of formulas say lengths and words. */
const plainOf = (name: string): RegExp => (MATH_TAGS.split(' ').includes(name) ? PLAIN : /^$./);

/** Reads HTML by a grammar that has one reading only; whatever does not fit it fails the test. */
function readTags(html: string): Tag[] {
  const tags: Tag[] = [];
  const rest = html.replace(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-z][a-z0-9-]*="[^"<>]*")*)( \/)?>/g,
    (_tag, slash: string, name: string, attributes: string) => {
      expect(TAGS, `tag in ${html}`).toContain(name);
      for (const [, key, value] of attributes.matchAll(/ ([a-z][a-z0-9-]*)="([^"<>]*)"/g)) {
        expect(value, `${name} ${key} in ${html}`).toMatch(ATTRIBUTES[`${name} ${key}`] ?? plainOf(name));
      }
      tags.push({ name, closing: slash === '/' });
      return '';
    },
  );
  expect(rest, `a stray bracket in ${html}`).not.toMatch(/[<>]/);
  return tags;
}

function expectBalanced(html: string): void {
  const open: string[] = [];
  for (const { name, closing } of readTags(html)) {
    if (closing) expect(open.pop(), html).toBe(name);
    else if (!VOID_TAGS.has(name)) open.push(name);
  }
  expect(open, html).toEqual([]);
}

function codeBlock(code: string, attribute = ''): string {
  return `<div class="codehilite"${attribute}><pre><span></span><code>${code}</code></pre></div>`;
}

function link(href: string, text = 't'): string {
  return `<p><a href="${href}">${text}</a></p>`;
}

const DIALECT: [rule: string, source: string, html: string][] = [
  ['puts text into a paragraph', 'hi', '<p>hi</p>'],
  ['shows nothing for an empty message', ' \n', ''],
  ['keeps single line breaks', 'a\nb', '<p>a<br>\nb</p>'],
  ['starts a paragraph after an empty line', 'a\n\nb', '<p>a</p>\n<p>b</p>'],
  ['shows strong and emphasised text', '**b** *i*', '<p><strong>b</strong> <em>i</em></p>'],
  ['shows deleted text', '~~s~~', '<p><del>s</del></p>'],
  ['leaves underscores alone', '_x_ __x__ a_b_c', '<p>_x_ __x__ a_b_c</p>'],
  ['shows code in a line', '`c<`', '<p><code>c&lt;</code></p>'],
  ['shows headings', '## h', '<h2>h</h2>'],
  ['wants a space after the marks of a heading', '#h\n#', '<p>#h<br>\n#</p>'],
  ['shows headings in lists', '- # h', '<ul>\n<li>\n<h1>h</h1>\n</li>\n</ul>'],
  ['knows no underlined headings', 'a\n===', '<p>a<br>\n===</p>'],
  ['shows a rule between paragraphs', 'a\n---', '<p>a</p>\n<hr>'],
  ['shows lists', '- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ['starts a numbered list with 1', '1. a', '<ol>\n<li>a</li>\n</ol>'],
  ['keeps the first number of a list', '3. a', '<ol start="3">\n<li>a</li>\n</ol>'],
  ['shows quotes', '> q', '<blockquote>\n<p>q</p>\n</blockquote>'],
  ['shows a code block', '```\nx\n```', codeBlock('x\n')],
  ['shows an indented code block', '    x', codeBlock('x\n')],
  ['closes a code block left open', '```\nx', codeBlock('x\n')],
  ['shows an empty code block', '```\n```', codeBlock('')],
  ['names the language', '```py\na < b\n```', codeBlock('a &lt; b\n', ' data-code-language="py"')],
  ['takes one word as language', '``` a b\nx\n```', codeBlock('x\n', ' data-code-language="a"')],
  ['links to the web', '[t](http://a.b/c)', link('http://a.b/c')],
  ['links to a mailbox', '[t](mailto:a@b.c)', link('mailto:a@b.c')],
  ['keeps link titles', '[t](http://a "x")', '<p><a href="http://a" title="x">t</a></p>'],
  ['links bare addresses', 'https://a.b/_c_', link('https://a.b/_c_', 'https://a.b/_c_')],
  ['links addresses in angle brackets', '<https://a.b>', link('https://a.b', 'https://a.b')],
  ['guesses no links', 'a.com www.a.com a@b.c', '<p>a.com www.a.com a@b.c</p>'],
  ['guesses no other schemes', 'ftp://a.b //a.b', '<p>ftp://a.b //a.b</p>'],
  ['shows a link without target as text', '[t]()', '<p>t</p>'],
  ['shows an image as a link', '![t](http://a/b.png)', link('http://a/b.png')],
  ['names an image without text by its address', '![](http://a)', link('http://a', 'http://a')],
  ['keeps an image in a link as text', '[![t](http://a) u](http://b)', link('http://b', 't u')],
  ['keeps a link in a link as text', '[<http://a>](http://b)', link('http://b', 'http://a')],
  ['knows no reference links', '[x]: /a\n\n[x]', '<p>[x]: /a</p>\n<p>[x]</p>'],
  ['escapes raw HTML', '<b>x</b> & <!--', '<p>&lt;b&gt;x&lt;/b&gt; &amp; &lt;!--</p>'],
  ['escapes HTML written as entities', '&lt;b&#x3e;', '<p>&lt;b&gt;</p>'],
  ['replaces lone surrogates', 'a\ud800 \udc00', '<p>a\ufffd \ufffd</p>'],
  [
    'aligns table columns',
    '|a|b|\n|-|:-:|\n|1|2|',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th style="text-align:center">b</th>\n</tr>\n</thead>\n' +
      '<tbody>\n<tr>\n<td>1</td>\n<td style="text-align:center">2</td>\n</tr>\n</tbody>\n</table>',
  ],
];

const HOSTILE_URLS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'JAVASCRIPT:alert(1)//a.b',
  '&#106;avascript:alert(1)',
  '&#x6A;avascript:alert(1)',
  '&#0000106avascript:alert(1)',
  '&&#35;106;avascript:alert(1)',
  'java&#x09;script:alert(1)',
  'java&Tab;script:alert(1)',
  'javascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  '\u00a0javascript:alert(1)',
  'javascript\\:alert(1)',
  'javascript://a.b/%0Aalert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD4=',
  'DATA:image/svg+xml,<svg onload=alert(1)>',
  'data:image/png;base64,AAAA',
  'file:///etc/passwd',
  'blob:null/1',
  '//evil.example',
  '\\\\evil.example',
  '/\\evil.example',
  'https:/\\evil.example',
  'http:evil.example',
  'https:///evil.example',
  '/relative',
  '#fragment',
  'feed:javascript:alert(1)',
  'http&#58;javascript:alert(1)',
];

const HOSTILE_MARKUP = [
  '<script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<<script>alert(1)//<</script>',
  '<script>alert(1)',
  '<img src=x onerror=alert(1)>',
  '<img/src=x/onerror=alert(1)>',
  '<IMG SRC="x" ONERROR="alert(1)"',
  '<svg onload=alert(1)>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<style>*{background:url(javascript:alert(1))}</style>',
  '<style><img src="</style><img src=x onerror=alert(1)>">',
  '<p style="background:url(https://evil.example)">x</p>',
  '<td style="text-align:left;position:fixed">x</td>',
  '<th style="text-align:expression(alert(1))">x</th>',
  '<div class="codehilite evil" onclick="alert(1)">x</div>',
  '<ol start="1 onclick=alert(1)"><li>x</li></ol>',
  '<a href="https://a.b" onclick="alert(1)">x</a>',
  '<a href="https://a.b"onmouseover="alert(1)">x</a>',
  "<a href='https://a.b' title='\"onclick=alert(1) x=\"'>x</a>",
  '<a title="&&#35;34; onclick=alert(1)" href="mailto:a@b.c">x</a>',
  '<a href=`javascript:alert(1)`>x</a>',
  '<a href="https://a.b" target="_blank" ping="https://evil.example">x</a>',
  '<p/onclick=alert(1)>x</p>',
  '<p\fonclick=alert(1)>x</p>',
  '<p\u0000onclick=alert(1)>x</p>',
  '<code onfocus=alert(1) tabindex=0 autofocus>x</code>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<base href="//evil.example/">',
  '<details open ontoggle=alert(1)>x</details>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!<!---->--><img src=x onerror=alert(1)>',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml-stylesheet href="javascript:alert(1)"?>',
  '[t](https://a.b "x\\"onclick=alert(1)")',
  "[t](https://a.b '\"><script>alert(1)</script>')",
  '[t](https://a.b (&quot;onclick=alert&lpar;1&rpar;))',
  '[t](<https://a.b" onclick="alert(1)>)',
  '![" onerror="alert(1)](https://a.b/"onerror="x)',
  '![<img onerror=alert(1)>](https://a.b)',
  'https://a.b/"onclick="alert(1)',
  "https://a.b/'><script>alert(1)</script>",
  '<https://a.b/"onclick="alert(1)>',
  '<javascript:alert(1)>',
  '```"onclick=alert(1)\nx\n```',
  '```py"><script>alert(1)</script>\nx\n```',
  '~~~ \'"`><img/src=x/onerror=alert(1)>\n</code></pre><script>alert(1)</script>\n~~~',
  '`</code><script>alert(1)</script>`',
  '|<img src=x onerror=alert(1)>|\n|:-:|\n|</td><script>alert(1)</script>|',
  '> <script>\n> alert(1)\n- </li><svg onload=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt; &#60;script&#62;',
];

const VECTORS = [...HOSTILE_MARKUP, ...HOSTILE_URLS.map((url) => `<a href="${url}">t</a>`)];

const NASTY_PIECES = [
  ...'*_~`[]()<>!|:-#>&"\'\\= \n\tax1',
  ...['**', '~~', '```', '![', '](', '](http://a)', '[a](http://b "c")', '\n\n', '\n- ', '\n> '],
  ...['\n1. ', '|a|\n|-|\n', '    ', '<a href="', '</p>', '<script>', '<!--', 'https://a.b/'],
  ...['@**', '@_**|1**', '@**|1**', '@*g*', '@**all**', '#**c**', '#**c>t@1**', '#**c>', '**', ':smile:'],
  ...[':', '🙂', '$$', '$$x^2$$', '$$\\href{javascript:a}{b}$$', '\\frac{', '}', '<time:0>', '<time:'],
  ...['```quote\n', '```spoiler a\n', '```math\n', '```js\n', '~~~quote\n', '\n```\n', '\n~~~\n'],
  ...['javascript:', '&lt;', '&quot;', '&#34;', '<http://a>', '\ud800', '\udc00', '\u0000', '😀'],
];

const PATHOLOGICAL = [
  ...['[', '*', '>', '`', '![', '<', 'a](', '[a](', '![*', '*[', '[a](b "', '`a``b', '**a *b '],
  ...['- ', '> - ', '-  a\n', '>a\n\n', '|', '|a|\n|-|\n', 'a|b\n-|-\n', '~~*', '&#', '\\', '#'],
  ...['@**|1**', '@**', '@_**a', '@*g*', '#**c**', '#**c>', '#**c>t@1', '#**c>t@1**', ':', ':a', ':smile:'],
  ...[
    '🙂',
    '👩\u200d',
    '$$',
    '$$x$$',
    '$$x',
    '\\$$',
    '$$\\frac12$$ ',
    '<time:',
    '<time:1>',
    '<time:2020-01-01',
  ],
  ...[
    '```quote\n',
    '```spoiler a\n',
    '```quote\n~~~spoiler\n',
    '```quote\n```\n',
    '- ```quote\n',
    '> ```quote\n',
  ],
  ...['```math\n', '```math\nx\n```\n', '```js\n', '```js\nx\n```\n', 'https://chat.example.com/#narrow/'],
  ...['http://', 'https://a.b/([{', 'http://a_', '<a@b.c>', '\ud800', '```\n', '<a href="', '"'],
].map((unit) => unit.repeat(10_000));

const DEEP = [40, 100, 1000].flatMap((depth) => [
  '>'.repeat(depth) + 'a\n'.repeat(5000),
  '- > '.repeat(depth) + 'a\n'.repeat(5000),
  `${'!['.repeat(depth)}a${'](http://a)'.repeat(depth)}`.repeat(20),
  `|${'a|'.repeat(depth)}\n|${':-:|'.repeat(depth)}\n${'|\n'.repeat(5000)}`,
]);

const KNOWN: Known = {
  ...nothingKnown,
  users: [{ userId: 1, fullName: '"><script>alert(1)</script>', isActive: true }],
  groups: [{ groupId: 1, name: 'g', isDeactivated: false }],
  channels: [{ channelId: 1, name: 'c' }],
  topics: [{ channelId: 1, topic: '<b onclick="x">', newestMessageId: 1 }],
  emoji: [{ name: 'my_custom', url: '/user_avatars/a.png' }],
  origin: 'https://chat.example.com',
};
const EVERYTHING: Known = {
  ...KNOWN,
  ...(await loadParts(findReferences('🙂 $$x$$\n```js\n'))),
};

/** Code in which each grammar may look far ahead. */
const CODE = [
  '(',
  '{',
  '"',
  "'",
  '/',
  '<a ',
  '/*',
  '#',
  '`',
  '${',
  '\\',
  'a(',
  'x=/',
  '=>',
  '0',
  '@a',
  '<!--',
  'a:',
  '\t',
];
const LANGUAGES =
  'bash c cpp csharp css diff go java javascript json markdown perl php python ruby rust sql typescript xml yaml';

/** Formulas that grow, nest or ask for what is not theirs. */
const HOSTILE_FORMULAS = [
  '\\href{javascript:alert(1)}{x}',
  '\\url{javascript:alert(1)}',
  '\\includegraphics[width=1em]{https://evil.example/a.png}',
  '\\htmlStyle{position:fixed}{x}',
  '\\htmlClass{evil}{x} \\htmlId{a}{x} \\htmlData{a=b}{x}',
  '\\def\\a{\\a\\a}\\a',
  '\\gdef\\a#1{#1#1}\\a{\\a{\\a{\\a{\\a{\\a{\\a{x}}}}}}}',
  '\\rule{1000000em}{1000000em}',
  '\\text{<img src=x onerror=alert(1)>}',
  '\\color{red;background:url(https://evil.example)}x',
  '\\textcolor{#fff}{x} \\colorbox{red}{x} \\fcolorbox{red}{blue}{x}',
  '\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix} \\sqrt[3]{x} \\overbrace{x}^y \\cancel{x} \\boxed{x} \\Huge x',
  '\\xrightarrow[a]{b} \\left\\{\\frac12\\right. \\hspace{1em} \\raisebox{1em}{x} \\tag{1}',
  `${'{'.repeat(900)}x${'}'.repeat(900)}`,
  `${'\\sqrt{'.repeat(150)}x${'}'.repeat(150)}`,
  '^'.repeat(900),
];

describe('markdown of messages', () => {
  it.each(DIALECT)('%s', (_rule, source, html) => {
    expect(renderMarkdown(source).html).toBe(html);
  });

  it('links only to the web and to mailboxes', () => {
    for (const url of HOSTILE_URLS) {
      const html = renderMarkdown(`[t](${url}) ![t](${url}) [t](<${url}>) <${url}>`).html;
      expect(html).not.toContain('<a');
    }
  });

  it('shows nothing that runs', () => {
    for (const source of VECTORS) expectBalanced(renderMarkdown(source).html);
  });

  it('leaves only through the sanitizer', () => {
    const wall = vi.spyOn(FilterXSS.prototype, 'process').mockReturnValueOnce('clean');
    expect(renderMarkdown('hi').html).toBe('clean');
    wall.mockRestore();
  });

  it('closes every tag in order, for any source', () => {
    const sources = fc.array(fc.constantFrom(...NASTY_PIECES), { maxLength: 60 });
    fc.assert(
      fc.property(sources, (pieces) => {
        const html = renderMarkdown(pieces.join('')).html;
        expectBalanced(html);
        expect(html.isWellFormed()).toBe(true);
        expect(sanitizeHtml(html)).toBe(html);
      }),
      { numRuns: 300 },
    );
  });

  it('closes every tag in order with everything known, for any source', () => {
    const sources = fc.array(fc.constantFrom(...NASTY_PIECES), { maxLength: 60 });
    fc.assert(
      fc.property(sources, (pieces) => {
        const { html } = renderMarkdown(pieces.join(''), EVERYTHING);
        expectBalanced(html);
        expect(sanitizeHtml(html)).toBe(html);
      }),
      { numRuns: 300 },
    );
  });

  it('shows nothing that runs, whatever a formula asks for', () => {
    for (const formula of HOSTILE_FORMULAS) {
      const { html } = renderMarkdown(`$$${formula}$$\n\`\`\`math\n${formula}\n\`\`\``, EVERYTHING);
      expectBalanced(html);
      expect(html).not.toMatch(/<a\s|<img|<[^>]*(?:fixed|url\()/);
    }
  });

  it('keeps every mark of formulas that clients show', () => {
    for (const formula of [
      '\\frac12',
      '\\sqrt[3]{x}',
      '\\overbrace{x}^y',
      '\\begin{pmatrix}a&b\\end{pmatrix}',
      '\\boxed{x}',
    ]) {
      const { html } = renderMarkdown(`$$${formula}$$`, EVERYTHING);
      expect(html.length).toBeGreaterThan(0.9 * (EVERYTHING.setMath?.(formula, false)?.length ?? 0));
    }
  });

  it('colours any code in bounded time, and keeps its text', () => {
    for (const language of LANGUAGES.split(' '))
      for (const unit of CODE) {
        const code = unit.repeat(2_000).slice(0, 4_000);
        const start = performance.now();
        const { html } = renderMarkdown(`~~~~~~${language}\n${code}\n~~~~~~`, EVERYTHING);
        expect(performance.now() - start, `${language} ${unit}`).toBeLessThan(2000);
        expectBalanced(html);
      }
  });

  it('adds no more than its limits to any message', () => {
    for (const source of ['🙂', ':zulip:', '$$x$$ ', '@**|1**', '#**c>t@1**', '```js\n1,1,1,1\n```\n']) {
      const { html } = renderMarkdown(source.repeat(10_000).slice(0, 10_000), EVERYTHING);
      expect(html.length, source).toBeLessThan(250_000);
    }
  });

  it('shows what follows a quote or list that is too deep', () => {
    for (const mark of ['> ', '- ', '> - ']) {
      expect(renderMarkdown(`${mark.repeat(60)}a\n\nb`).html).toMatch(/a<\/.*\n<p>b<\/p>$/s);
    }
  });

  it('fills up no table beyond its limit', () => {
    const source = `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n${'|\n'.repeat(4000)}`;
    expect(renderMarkdown(source).html).not.toContain('<table>');
  });

  it('renders any message of 10 000 characters in bounded time', () => {
    for (const source of [...PATHOLOGICAL, ...DEEP]) {
      const start = performance.now();
      renderMarkdown(source.slice(0, 10_000), EVERYTHING);
      findReferences(source.slice(0, 10_000));
      // Far above the usual 50 ms, so that only a quadratic rule fails on a busy machine.
      expect(performance.now() - start, source.slice(0, 20)).toBeLessThan(1000);
    }
  });
});

describe('sanitizer', () => {
  it('alone leaves nothing that runs', () => {
    for (const html of VECTORS) readTags(sanitizeHtml(html));
  });

  it('changes nothing the second time', () => {
    for (const html of VECTORS.map(sanitizeHtml)) expect(sanitizeHtml(html)).toBe(html);
  });

  it('removes scripts and styles with what they contain', () => {
    expect(sanitizeHtml('<p>a<script>alert(1)</script><style>p{}</style>b</p>')).toBe('<p>ab</p>');
  });

  it('keeps the text of other tags it removes', () => {
    expect(sanitizeHtml('<section onclick="x"><b>a</b></section>')).toBe('a');
  });
});
