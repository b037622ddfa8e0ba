import hljs from 'highlight.js/lib/common';
import katex from 'katex';
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '#shared/markdown/render.ts';
import { everything } from './everything.ts';

// Clients do not show HTML: they read it, and show unknown forms as source.

const render = (source: string): string => renderMarkdown(source, everything).html;
const codeOf = (html: string): string =>
  /<pre><span><\/span><code>(.*)<\/code><\/pre>/s.exec(html)?.[1] ?? '';

/** The classes of Pygments. */
const CODE_CLASSES = new Set(
  (
    'w esc err x k kc kd kn kp kr kt n na nb bp nc no nd ni ne nf fm py nl nn nx nt nv vc vg vi vm l ld s sa sb sc dl ' +
    'sd s2 se sh si sx sr s1 ss m mb mf mh mi il mo o ow p pm c ch cm cp cpf c1 cs g gd ge gr gh gi go gp gs gu ges gt'
  ).split(' '),
);

const SAMPLES: Record<string, string> = {
  xml: `<!-- c -->\n<style>a { color: red }</style><script>let x = \`a\${1 + b}\`;</script>\n<p class="a">&amp;</p>`,
  php: '<?php\n/** @param int $a */\nfunction f($a) { return "x {$a[0]} y" . \'z\'; }\n',
  markdown: '# h\n\n- *a* **b** `c`\n\n> [t](http://a "x") <b>y</b>\n\n```\ncode\n```\n',
  javascript: `class A extends B { static #x = /[a-z]+/gi; async f(a = {b: 1}) { return \`x \${a.b} y\`; } }\n`,
  python: '@cache\ndef f(self, *a: int) -> str:\n    """doc"""\n    return f"{a!r:>10} \\n" + r\'x\'\n',
  bash: `#!/bin/sh\nfor f in *.c; do echo "$f \${f%.c}" > /dev/null; done # x\n`,
  sql: "select a, count(*) from t where b = 'x' and c is not null -- d\n",
};
const GENERAL =
  '/* a */ # b\nclass A { int f(x) { return "s\\n" + 1.5; } } // c\n@d <e f="g"> $h :i {{ j }}\n';

describe('Code', () => {
  it.each(hljs.listLanguages())(
    'In %s consists of text and spans of one class, none within another',
    (language) => {
      for (const code of [SAMPLES[language] ?? GENERAL, GENERAL.repeat(30)]) {
        const html = codeOf(render(`~~~~${language}\n${code}~~~~`));
        const rest = html.replace(/<span class="([a-z0-9]+)">[^<]+<\/span>/g, (_span, name: string) => {
          expect(CODE_CLASSES, html).toContain(name);
          return '';
        });
        expect(rest).not.toMatch(/[<>]/);
      }
    },
  );

  it('Keeps its colours if a comment or a string is long', () => {
    const comment = `/* ${'many words\n'.repeat(200)}*/`;
    expect(codeOf(render(`\`\`\`c\n${comment}\nint x = 1;\n\`\`\``))).toBe(
      `<span class="c1">${comment}</span>\n<span class="kt">int</span> x = <span class="m">1</span>;\n`,
    );
  });

  it('Keeps its colours if a line is long', () => {
    const list = Array.from({ length: 400 }, (_, n) => n);
    const shown = codeOf(render(`\`\`\`json\n[${list.join(', ')}]\n\`\`\``));
    const numbers = [...shown.matchAll(/<span class="m">(\d+)<\/span>/g)].map(([, digits]) => Number(digits));
    // A number in which the line was cut is two.
    expect(list.filter((n) => !numbers.includes(n)).length).toBeLessThanOrEqual(4);
  });
});

/** Formulas that clients show, each with another kind of mark. */
const FORMULAS = [
  ...[
    'x',
    '\\frac12',
    '\\sqrt[3]x',
    '\\widehat{xy}',
    '\\overbrace{x}^y',
    '\\xrightarrow[a]{b}',
    '\\cancel x',
  ],
  ...[
    '\\boxed x',
    '\\left(\\frac12\\right)',
    '\\Bigg(',
    '\\sum_{i=1}^n',
    '\\prod\\limits_a^b',
    '\\rule{1em}{2em}',
  ],
  ...[
    '\\textcolor{#ff0000}x',
    '\\colorbox{red}x',
    '\\fcolorbox{red}{blue}x',
    '\\text{a b}',
    '\\mathbb R',
    '\\vec x',
  ],
  ...[
    '\\binom ab',
    '\\TeX',
    '\\stackrel ab',
    '\\Huge x',
    'x\\tag{1}',
    '\\oiint',
    "f''",
    '\\cfrac1{1+\\cfrac12}',
  ],
  ...[
    '\\begin{pmatrix}a&b\\\\c\\end{pmatrix}',
    '\\begin{array}{c|c}a&b\\\\\\hline c&d\\end{array}',
    '\\phase{x}',
  ],
  ...[
    '\\begin{cases}a\\end{cases}',
    '\\begin{CD}A@>a>>B\\\\@VVV@AAA\\\\C@=D\\end{CD}',
    '\\begin{align}x&y\\\\z\\end{align}',
  ],
  ...[
    '\\def\\a{x}\\a+\\a',
    '\\newcommand{\\RR}{\\mathbb R}x\\in\\RR',
    '\\color{#f00}x',
    `${'x'.repeat(900)}\\tag{1}`,
  ],
];
/** Readers of HTML accept these names in any letter case, and spaces around the end of a tag. */
const normal = (html: string): string =>
  html
    .replace(/ \/>/g, '/>')
    .replace(/ =/g, '=')
    .replace(/viewBox|preserveAspectRatio/g, (name) => name.toLowerCase());

/** The place from which HTML differs; empty if it does not. */
function differenceOf(html: string, expected: string): string {
  const [shown, wanted] = [normal(html), normal(expected)];
  if (shown === wanted) return '';
  const at = [...wanted].findIndex((one, index) => shown[index] !== one);
  return `${shown.slice(at - 50, at + 50)} instead of ${wanted.slice(at - 50, at + 50)}`;
}

describe('A formula', () => {
  it.each(FORMULAS)('Keeps the complete output of the library: %s', (formula) => {
    const written = katex.renderToString(formula, { displayMode: true, maxSize: 10, strict: 'ignore' });
    expect(differenceOf(render(`\`\`\`math\n${formula}\n\`\`\``), `<p>${written}</p>`)).toBe('');
  });

  it('Names its parts as clients expect', () => {
    const html = render('$$x_1$$');
    for (const name of [
      'base',
      'strut',
      'sizing reset-size6 size3 mtight',
      'mord mathnormal',
      'vlist-t vlist-t2',
    ])
      expect(html).toContain(`class="${name}"`);
    expect(html).not.toMatch(/katex-(?!mathml|html)/);
    expect(html).toMatch(
      /^<p><span class="katex"><span class="katex-mathml"><math xmlns="[^"]+"><semantics>.*<annotation encoding="application\/x-tex">x_1<\/annotation><\/semantics><\/math><\/span><span class="katex-html" aria-hidden="true">/,
    );
  });

  it('May define macros, but none that repeats its argument', () => {
    expect(render('$$\\def\\a#1{#1#1}\\a x$$')).toContain('class="tex-error"');
    expect(render('$$\\newcommand\\a[1]{#1}\\a x$$')).toContain('class="tex-error"');
    expect(render('$$\\def\\a{\\frac12}\\a\\a$$')).toContain('class="katex"');
    expect(render('$$\\#\\def\\a{x}\\a$$')).toContain('class="katex"');
  });

  it('Renders if it fits, and none after one that does not fit', () => {
    const large = `\\begin{matrix}${'&'.repeat(400)}\\end{matrix}`;
    const html = render(`$$a$$ $$${large}$$ $$b$$`);
    expect(html.match(/class="katex"/g)).toHaveLength(1);
    expect(html).toContain('<span class="tex-error">$$b$$</span>');
  });
});

describe('Players', () => {
  const SOUND = '/user_uploads/2/1-1/x/a.mp3';
  const FILM = '/user_uploads/2/1-1/x/a.mp4';
  const film = (title = '') =>
    `<div class="message_inline_image message_inline_video"><a href="${FILM}"${title}><video preload="metadata" src="${FILM}"></video></a></div>`;

  it('For sound appear in place of picture syntax', () => {
    expect(render(`a ![song "1"](${SOUND}) b`)).toBe(
      `<p>a <audio controls preload="metadata" src="${SOUND}" title="song &quot;1&quot;"></audio> b</p>`,
    );
    expect(render(`![](${SOUND})`)).toBe(`<p><audio controls preload="metadata" src="${SOUND}"></audio></p>`);
  });

  it('For video follow the paragraph with the link', () => {
    expect(render(`see [a film](${FILM})`)).toBe(
      `<p>see <a href="${FILM}">a film</a></p>\n${film(' title="a film"')}`,
    );
    expect(render(`![a film](${FILM})`)).toBe(
      `<p><a href="${FILM}">a film</a></p>\n${film(' title="a film"')}`,
    );
    expect(render(`https://chat.example.com${FILM}`)).toBe(film());
  });

  it('Appear once, and neither in quotes nor for a link to sound', () => {
    expect(render(`![a](${SOUND})![b](${SOUND})`).match(/<audio/g)).toHaveLength(1);
    expect(render(`[a](${FILM})\n\n[b](${FILM})`).match(/<video/g)).toHaveLength(1);
    for (const source of [`> ![a](${SOUND}) [b](${FILM})`, `[a](${SOUND})`, `\`![a](${SOUND})\``])
      expect(render(source)).not.toMatch(/<audio|<video/);
  });

  it('Exist only for files of the service', () => {
    const html = render('![a](https://a.b/a.mp3) [b](https://a.b/a.mp4) ![c](/user_uploads/2/9-9/x/c.mp3)');
    expect(html).not.toMatch(/<audio|<video/);
  });
});
