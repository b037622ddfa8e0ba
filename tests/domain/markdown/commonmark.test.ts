import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '#shared/markdown/render.ts';

function codeBlock(code: string, attribute = ''): string {
  return `<div class="codehilite"${attribute}><pre><span></span><code>${code}</code></pre></div>`;
}

const a = (href: string, text = href): string => `<a href="${href}">${text}</a>`;
const link = (href: string, text = 't'): string => `<p>${a(href, text)}</p>`;

const ROWS: [rule: string, source: string, html: string][] = [
  ['Puts text into a paragraph', 'hi', '<p>hi</p>'],
  ['Shows nothing for an empty message', ' \n', ''],
  ['Keeps single line breaks', 'a\nb', '<p>a<br>\nb</p>'],
  ['Starts a paragraph after an empty line', 'a\n\nb', '<p>a</p>\n<p>b</p>'],
  ['Shows strong and emphasised text', '**b** *i*', '<p><strong>b</strong> <em>i</em></p>'],
  ['Shows deleted text', '~~s~~', '<p><del>s</del></p>'],
  ['Leaves underscores alone', '_x_ __x__ a_b_c', '<p>_x_ __x__ a_b_c</p>'],
  ['Shows code in a line', '`c<`', '<p><code>c&lt;</code></p>'],
  ['Shows headings', '## h', '<h2>h</h2>'],
  ['Wants a space after the marks of a heading', '#h\n#', '<p>#h<br>\n#</p>'],
  ['Shows headings in lists', '- # h', '<ul>\n<li>\n<h1>h</h1>\n</li>\n</ul>'],
  ['Knows no underlined headings', 'a\n===', '<p>a<br>\n===</p>'],
  ['Shows a rule between paragraphs', 'a\n---', '<p>a</p>\n<hr>'],
  ['Shows lists', '- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ['Starts a numbered list with 1', '1. a', '<ol>\n<li>a</li>\n</ol>'],
  ['Keeps the first number of a list', '3. a', '<ol start="3">\n<li>a</li>\n</ol>'],
  ['Shows quotes', '> q', '<blockquote>\n<p>q</p>\n</blockquote>'],
  ['Shows a code block', '```\nx\n```', codeBlock('x\n')],
  ['Shows an indented code block', '    x', codeBlock('x\n')],
  ['Closes a code block left open', '```\nx', codeBlock('x\n')],
  ['Shows an empty code block', '```\n```', codeBlock('')],
  ['Names the language', '```py\na < b\n```', codeBlock('a &lt; b\n', ' data-code-language="py"')],
  ['Takes one word as language', '``` a b\nx\n```', codeBlock('x\n', ' data-code-language="a"')],
  ['Links to the web', '[t](http://a.b/c)', link('http://a.b/c')],
  ['Links to a mailbox', '[t](mailto:a@b.c)', link('mailto:a@b.c')],
  ['Links to the web by a scheme in capitals', '[t](HTTPS://a.b/c)', link('HTTPS://a.b/c')],
  ['Links to a mailbox by a scheme in capitals', '[t](MailTo:a@b.c)', link('MailTo:a@b.c')],
  ['Keeps link titles', '[t](http://a "x")', '<p><a href="http://a" title="x">t</a></p>'],
  ['Links bare addresses', 'https://a.b/_c_', link('https://a.b/_c_', 'https://a.b/_c_')],
  ['Links addresses in angle brackets', '<https://a.b>', link('https://a.b', 'https://a.b')],
  [
    'Links addresses that begin with www',
    'see www.a.b/c_(d).',
    `<p>see ${a('http://www.a.b/c_(d)', 'www.a.b/c_(d)')}.</p>`,
  ],
  ['Links such an address in brackets', '(WWW.A.B)', `<p>(${a('http://WWW.A.B', 'WWW.A.B')})</p>`],
  ['Links to such an address', '[t](www.a.b)', link('http://www.a.b')],
  ['Shows a link without target as text', '[t]()', '<p>t</p>'],
  [
    'Shows the address of a link without text',
    '[](http://a.b) [ ](http://a.b)',
    `<p>${a('http://a.b')} ${a('http://a.b')}</p>`,
  ],
  ['Makes no check boxes', '- [ ] a\n- [x] b', '<ul>\n<li>[ ] a</li>\n<li>[x] b</li>\n</ul>'],
  ['Shows an image as a link', '![t](http://a/b.png)', link('http://a/b.png')],
  [
    'Keeps the title of an image',
    '![t](http://a/b.png "A cat")',
    '<p><a href="http://a/b.png" title="A cat">t</a></p>',
  ],
  ['Names an image without text by its address', '![](http://a)', link('http://a', 'http://a')],
  ['Keeps an image in a link as text', '[![t](http://a) u](http://b)', link('http://b', 't u')],
  ['Keeps a link in a link as text', '[<http://a>](http://b)', link('http://b', 'http://a')],
  ['Knows no reference links', '[x]: /a\n\n[x]', '<p>[x]: /a</p>\n<p>[x]</p>'],
  ['Escapes raw HTML', '<b>x</b> & <!--', '<p>&lt;b&gt;x&lt;/b&gt; &amp; &lt;!--</p>'],
  ['Escapes HTML written as entities', '&lt;b&#x3e;', '<p>&lt;b&gt;</p>'],
  ['Replaces lone surrogates', 'a\ud800 \udc00', '<p>a\ufffd \ufffd</p>'],
  [
    'Aligns table columns',
    '|a|b|\n|-|:-:|\n|1|2|',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th style="text-align: center;">b</th>\n</tr>\n</thead>\n' +
      '<tbody>\n<tr>\n<td>1</td>\n<td style="text-align: center;">2</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'Keeps pipes of code in a cell',
    '| `a|b` | use |\n|---|---|\n| ``p || `q`` | or |\n| \\`x | `y\\|z` |',
    '<table>\n<thead>\n<tr>\n<th><code>a|b</code></th>\n<th>use</th>\n</tr>\n</thead>\n<tbody>\n' +
      '<tr>\n<td><code>p || `q</code></td>\n<td>or</td>\n</tr>\n' +
      '<tr>\n<td>`x</td>\n<td><code>y|z</code></td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'Gives a table that has only a header an empty row',
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
