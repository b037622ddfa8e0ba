import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { FilterXSS } from 'xss';
import { textOfHtml } from '#shared/domain/search/html-text.ts';
import { type Known, nothingKnown } from '#shared/markdown/known.ts';
import { addPreviews } from '#shared/markdown/previews.ts';
import { findReferences } from '#shared/markdown/references.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import { sanitizeHtml } from '#shared/markdown/sanitize.ts';
import { loadParts } from '#shared/store/markdown-parts.ts';
import {
  CODE,
  DEEP,
  HOSTILE_FORMULAS,
  HOSTILE_URLS,
  LANGUAGES,
  NASTY_PIECES,
  PATHOLOGICAL,
  VECTORS,
} from './hostile.ts';
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
  uploads: [{ pathId: '2/1-1/x/a.png', image: IMAGE }],
  addPreviews,
};

describe('markdown of messages', () => {
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
        const code = unit.repeat(2_000).slice(0, 3_000);
        const start = performance.now();
        const { html } = renderMarkdown(`~~~~~~${language}\n${code}\n~~~~~~`, EVERYTHING);
        expect(performance.now() - start, `${language} ${unit}`).toBeLessThan(2000);
        expect(textOfHtml(html).trimEnd()).toBe(code.trimEnd());
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
