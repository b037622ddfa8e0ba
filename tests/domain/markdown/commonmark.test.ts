import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '#shared/markdown/render.ts';

function codeBlock(code: string, attribute = ''): string {
  return `<div class="codehilite"${attribute}><pre><span></span><code>${code}</code></pre></div>`;
}

const a = (href: string, text = href): string => `<a href="${href}">${text}</a>`;
const link = (href: string, text = 't'): string => `<p>${a(href, text)}</p>`;

const ROWS: [rule: string, source: string, html: string][] = [
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
  ['links to the web by a scheme in capitals', '[t](HTTPS://a.b/c)', link('HTTPS://a.b/c')],
  ['links to a mailbox by a scheme in capitals', '[t](MailTo:a@b.c)', link('MailTo:a@b.c')],
  ['keeps link titles', '[t](http://a "x")', '<p><a href="http://a" title="x">t</a></p>'],
  ['links bare addresses', 'https://a.b/_c_', link('https://a.b/_c_', 'https://a.b/_c_')],
  ['links addresses in angle brackets', '<https://a.b>', link('https://a.b', 'https://a.b')],
  [
    'links addresses that begin with www',
    'see www.a.b/c_(d).',
    `<p>see ${a('http://www.a.b/c_(d)', 'www.a.b/c_(d)')}.</p>`,
  ],
  ['links such an address in brackets', '(WWW.A.B)', `<p>(${a('http://WWW.A.B', 'WWW.A.B')})</p>`],
  ['links to such an address', '[t](www.a.b)', link('http://www.a.b')],
  ['shows a link without target as text', '[t]()', '<p>t</p>'],
  [
    'shows the address of a link without text',
    '[](http://a.b) [ ](http://a.b)',
    `<p>${a('http://a.b')} ${a('http://a.b')}</p>`,
  ],
  ['makes no check boxes', '- [ ] a\n- [x] b', '<ul>\n<li>[ ] a</li>\n<li>[x] b</li>\n</ul>'],
  ['shows an image as a link', '![t](http://a/b.png)', link('http://a/b.png')],
  [
    'keeps the title of an image',
    '![t](http://a/b.png "A cat")',
    '<p><a href="http://a/b.png" title="A cat">t</a></p>',
  ],
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
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th style="text-align: center;">b</th>\n</tr>\n</thead>\n' +
      '<tbody>\n<tr>\n<td>1</td>\n<td style="text-align: center;">2</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'keeps pipes of code in a cell',
    '| `a|b` | use |\n|---|---|\n| ``p || `q`` | or |\n| \\`x | `y\\|z` |',
    '<table>\n<thead>\n<tr>\n<th><code>a|b</code></th>\n<th>use</th>\n</tr>\n</thead>\n<tbody>\n' +
      '<tr>\n<td><code>p || `q</code></td>\n<td>or</td>\n</tr>\n' +
      '<tr>\n<td>`x</td>\n<td><code>y|z</code></td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'gives a table that has only a header an empty row',
    '|a|b|\n|-|-:|',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th style="text-align: right;">b</th>\n</tr>\n</thead>\n' +
      '<tbody>\n<tr>\n<td></td>\n<td style="text-align: right;"></td>\n</tr>\n</tbody>\n</table>',
  ],
];

describe('The CommonMark part of the dialect', () => {
  it.each(ROWS)('%s', (_rule, source, html) => {
    expect(renderMarkdown(source).html).toBe(html);
  });
});
