import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '#shared/markdown/render.ts';

describe('Emphasis beside punctuation', () => {
  test.each([
    ['**注意：**请先保存', '<strong>注意：</strong>请先保存'],
    ['**Note:**save first', '<strong>Note:</strong>save first'],
    ['~~削除。~~残り', '<del>削除。</del>残り'],
    ['f**(x)**', 'f<strong>(x)</strong>'],
    ['x~~(y)~~z', 'x<del>(y)</del>z'],
    ['**`npm`**을 설치', '<strong><code>npm</code></strong>을 설치'],
    ['これは**「重要」**です', 'これは<strong>「重要」</strong>です'],
    ['*（注）*は', '<em>（注）</em>は'],
    ['***注意：***请', '<em><strong>注意：</strong></em>请'],
    ['**100%**를', '<strong>100%</strong>를'],
    ['**👍**了', '<strong>👍</strong>了'],
    ['«**"a"**b»', '«<strong>&quot;a&quot;</strong>b»'],
  ])('Renders: %j', (source, html) => {
    expect(renderMarkdown(source).html).toBe(`<p>${html}</p>`);
  });

  test.each([
    ['a * b * c ** d ** e ~~ f ~~ g', 'a * b * c ** d ** e ~~ f ~~ g'],
    ['*(*foo*)*', '<em>(<em>foo</em>)</em>'],
    ['*a*, *b* and **c**, d', '<em>a</em>, <em>b</em> and <strong>c</strong>, d'],
    ['const char *x = (char *)y', 'const char *x = (char *)y'],
    ['f(*args, **kwargs)', 'f(*args, **kwargs)'],
    ['**\u3000注意：\u3000**请', '**\u3000注意：\u3000**请'],
    ['`**a:**b`', '<code>**a:**b</code>'],
    ['\\**a:*\\*b', '*<em>a:</em>*b'],
  ])('Keeps its meaning: %j', (source, html) => {
    expect(renderMarkdown(source).html).toBe(`<p>${html}</p>`);
  });
});
