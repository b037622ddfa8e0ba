import fc from 'fast-check';
import hljs from 'highlight.js/lib/common';
import { describe, expect, it, vi } from 'vitest';
import { FilterXSS } from 'xss';
import { textOfHtml } from '#shared/domain/html-text.ts';
import { type Known, nothingKnown } from '#shared/markdown/known.ts';
import { findReferences } from '#shared/markdown/references.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import { sanitizeHtml } from '#shared/markdown/sanitize.ts';
import { showUploads } from '#shared/markdown/shown-uploads.ts';
import { renderWords } from '#shared/markdown/words.ts';
import { loadParts } from '#shared/store/messages/markdown-parts.ts';
import { CODE, HOSTILE_FORMULAS, HOSTILE_URLS, NASTY_PIECES, VECTORS } from './hostile.ts';
import { expectBalanced, readTags } from './safe-html.ts';

const KNOWN: Known = {
  ...nothingKnown,
  users: [{ userId: 1, fullName: '"><script>alert(1)</script>', isActive: true }],
  groups: [{ groupId: 1, name: 'g', isDeactivated: false }],
  channels: [{ channelId: 1, name: 'c' }],
  topics: [{ channelId: 1, topic: '<b onclick="x">', newestMessageId: 1 }],
  emoji: [{ name: 'my_custom', url: '/user_avatars/a.png' }],
  origin: 'https://chat.example.com',
};
const IMAGE = {
  pathId: '2/1-1/x/a.png',
  mediaType: 'image/png',
  width: 4,
  height: 3,
  thumbnail: '840x560.webp',
};
const EVERYTHING: Known = {
  ...KNOWN,
  ...(await loadParts(findReferences('🙂 $$x$$\n```js\n'))),
  uploads: [
    { pathId: '2/1-1/x/a.png', image: IMAGE },
    { pathId: '2/1-1/x/a.mp3', player: 'audio' },
    { pathId: '2/1-1/x/a.mp4', player: 'video' },
  ],
  showUploads,
};

describe('Markdown of messages', () => {
  it('Links only to the web and to mailboxes', () => {
    for (const url of HOSTILE_URLS) {
      const html = renderMarkdown(`[t](${url}) ![t](${url}) [t](<${url}>) <${url}>`).html;
      expect(html).not.toContain('<a');
    }
  });

  it('Contains nothing executable', () => {
    for (const source of VECTORS) expectBalanced(renderMarkdown(source).html);
  });

  it('Passes through the sanitizer in every case', () => {
    const wall = vi.spyOn(FilterXSS.prototype, 'process').mockReturnValueOnce('clean');
    expect(renderMarkdown('hi').html).toBe('clean');
    wall.mockRestore();
  });

  it('Renders plain words without the parser as the parser does', () => {
    const isWords = (text: string): boolean => renderWords(text, EVERYTHING) !== undefined;
    expect(isWords('Hello Zoë,\nsee you (and 漢字) at 12. Don’t be late!')).toBe(true);
    const signs = [
      '. ',
      ', ',
      '\n',
      '(',
      ')',
      '-',
      '’',
      '.',
      '  ',
      '1',
      '*',
      'ℹ',
      '#',
      ':smile:',
      '<',
      '&',
      '"',
    ];
    const piece = fc.oneof(
      fc.constantFrom('See', ' ', 'Zoë', '漢字', 'www'),
      fc.constantFrom(...signs),
      fc.string({ unit: 'binary', maxLength: 2 }),
    );
    const words = fc
      .array(piece, { minLength: 1, maxLength: 12 })
      .map((pieces) => pieces.join(''))
      .filter(isWords);
    fc.assert(
      fc.property(words, (text) => {
        expect(renderWords(text, EVERYTHING)).toEqual(renderMarkdown(text, EVERYTHING));
      }),
      { numRuns: 200 },
    );
  });

  it('Leaves plain words to the parser if there are linkifiers', () => {
    const linker = { open: () => () => [{ from: 0, to: 5, url: 'https://example.com/' }] };
    expect(renderWords('Hello', { ...KNOWN, linker })).toBeUndefined();
  });

  it('Closes every tag in order, for any source', () => {
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

  it('Closes every tag in order with every known construct, for any source', () => {
    const sources = fc.array(fc.constantFrom(...NASTY_PIECES), { maxLength: 60 });
    fc.assert(
      fc.property(sources, (pieces) => {
        const { html } = renderMarkdown(pieces.join(''), EVERYTHING);
        expectBalanced(html);
        expect(sanitizeHtml(html, EVERYTHING.mathElements)).toBe(html);
      }),
      { numRuns: 300 },
    );
  });

  it('Contains nothing executable, whatever a formula requests', () => {
    for (const formula of HOSTILE_FORMULAS) {
      const { html } = renderMarkdown(`$$${formula}$$\n\`\`\`math\n${formula}\n\`\`\``, EVERYTHING);
      expectBalanced(html);
      expect(html).not.toMatch(/<a\s|<img|<[^>]*(?:fixed|url\()/);
    }
  });

  it('Keeps the text of any highlighted code', () => {
    for (const language of hljs.listLanguages())
      for (const unit of CODE) {
        const code = `${unit.repeat(700).slice(0, 1_200)}\n  ${unit} <b>&amp;\n`;
        const { html } = renderMarkdown(`~~~~~~${language}\n${code}~~~~~~`, EVERYTHING);
        expect(textOfHtml(html), `${language} ${unit}`).toBe(code);
      }
  });

  it('Adds at most its limits to any message', () => {
    for (const source of ['🙂', ':zulip:', '$$x$$ ', '@**|1**', '#**c>t@1**', '```js\n1,1,1,1\n```\n']) {
      const { html } = renderMarkdown(source.repeat(10_000).slice(0, 10_000), EVERYTHING);
      expect(html.length, source).toBeLessThan(250_000);
    }
  });

  it('Shows the text after a quote or list that is too deep', () => {
    for (const mark of ['> ', '- ', '> - ']) {
      expect(renderMarkdown(`${mark.repeat(60)}a\n\nb`).html).toMatch(/a<\/.*\n<p>b<\/p>$/s);
    }
  });

  it('Fills no table beyond its limit', () => {
    const source = `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n${'|\n'.repeat(4000)}`;
    expect(renderMarkdown(source).html).not.toContain('<table>');
  });
});

describe('The sanitizer', () => {
  // The elements of formulas extend it, and must not open it.
  describe.each([
    ['alone', undefined],
    ['with formulas', EVERYTHING.mathElements],
  ])('%s', (_name, more) => {
    const clean = (html: string): string => sanitizeHtml(html, more);

    it('Leaves nothing executable', () => {
      for (const html of VECTORS) readTags(clean(html));
    });

    it('Changes nothing the second time', () => {
      for (const html of VECTORS.map(clean)) expect(clean(html)).toBe(html);
    });

    it('Removes scripts and styles with their content', () => {
      expect(clean('<p>a<script>alert(1)</script><style>p{}</style>b</p>')).toBe('<p>ab</p>');
    });

    it('Keeps the text of other removed tags', () => {
      expect(clean('<section onclick="x"><b>a</b></section>')).toBe('a');
    });

    it('Keeps the renderer’s output, and mathematics only in formulas', () => {
      const mention = '<span class="user-mention silent" data-user-id="1">a</span>';
      expect(clean(mention)).toBe(mention);
      const math = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>';
      expect(clean(math)).toBe(more ? math : 'x');
      expect(clean('<span style="height:1em">x</span>')).toBe(
        more ? '<span style="height:1em">x</span>' : '<span>x</span>',
      );
    });
  });
});

it('Elements of formulas allow only themselves', () => {
  const more = {
    span: { class: (value: string) => value === 'katex', style: (value: string) => value === 'top:1em' },
    mrow: {},
  };
  for (const kept of [
    '<span class="katex" style="top:1em"></span>',
    '<span class="user-mention" data-user-id="7"></span>',
    '<mrow><strong>x</strong></mrow>',
  ])
    expect(sanitizeHtml(kept, more)).toBe(kept);
  expect(sanitizeHtml('<span class="other" style="top:2em" data-user-id="x"></span>', more)).toBe(
    '<span></span>',
  );
  expect(sanitizeHtml('<p class="katex" style="top:1em"></p>', more)).toBe('<p></p>');
  expect(sanitizeHtml('<span class="katex" style="top:1em"></span><mrow></mrow>')).toBe('<span></span>');
});
