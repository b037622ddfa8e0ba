import { describe, expect, test } from 'vitest';
import { cardOf, withCards } from '#shared/domain/previews/cards.ts';
import { decodePage } from '#shared/domain/previews/charset.ts';
import { listPreviewLinks } from '#shared/domain/previews/links.ts';
import { readPage, readVideoTitle } from '#shared/domain/previews/page.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';

const RULES = { origin: 'https://chat.example.org', showsPictures: true, showsPages: true };
const linksOf = (source: string, rules = {}) =>
  listPreviewLinks(renderMarkdown(source).html, { ...RULES, ...rules });

describe('listPreviewLinks', () => {
  test.each([
    ['https://a.example/cat.PNG?x=1&y=2', 'picture', 'https://a.example/cat.PNG?x=1&y=2'],
    [
      'https://github.com/o/r/blob/main/a/b.png',
      'picture',
      'https://raw.githubusercontent.com/o/r/main/a/b.png',
    ],
    [
      'https://en.wikipedia.org/wiki/File:Cat.jpg',
      'picture',
      'https://en.wikipedia.org/wiki/Special:FilePath/Cat.jpg',
    ],
    [
      'https://www.dropbox.com/scl/fi/k/c.jpg?dl=0',
      'picture',
      'https://www.dropbox.com/scl/fi/k/c.jpg?raw=1',
    ],
    [
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3',
      'youtube',
      'https://i.ytimg.com/vi/dQw4w9WgXcQ/mqdefault.jpg',
    ],
    ['https://youtu.be/dQw4w9WgXcQ', 'youtube', 'https://i.ytimg.com/vi/dQw4w9WgXcQ/mqdefault.jpg'],
    [
      'https://m.youtube.com/shorts/dQw4w9WgXcQ',
      'youtube',
      'https://i.ytimg.com/vi/dQw4w9WgXcQ/mqdefault.jpg',
    ],
    ['https://vimeo.com/channels/staffpicks/123', 'vimeo', 'https://vimeo.com/channels/staffpicks/123'],
    ['https://youtube.com/watch?v=a%22b', 'page', 'https://youtube.com/watch?v=a%22b'],
    ['https://a.example/page', 'page', 'https://a.example/page'],
  ])('Accepts %s as a %s', (url, kind, source) => {
    expect(linksOf(`see ${url} there`)).toMatchObject([{ url, kind, source }]);
  });

  test('Skips quotes, code, repetitions, mail addresses and pages of the service', () => {
    const source = [
      '> https://quoted.example/',
      '',
      '`https://code.example/` https://a.example/ [again](https://a.example/) mailto:a@b.example',
      'https://chat.example.org/help',
      '#narrow/channel/1',
    ].join('\n');
    expect(linksOf(source).map(({ url }) => url)).toEqual(['https://a.example/']);
  });

  test('Returns the first five links, and none of more than 24', () => {
    const links = (count: number) =>
      Array.from({ length: count }, (_, n) => `https://a.example/${n}`).join(' ');
    expect(linksOf(links(24))).toHaveLength(5);
    expect(linksOf(links(25))).toEqual([]);
  });

  test('Obeys the settings of the organization', () => {
    const source = 'https://a.example/cat.png https://youtu.be/abc https://a.example/';
    expect(linksOf(source, { showsPages: false }).map(({ kind }) => kind)).toEqual(['picture', 'youtube']);
    expect(linksOf(source, { showsPictures: false }).map(({ kind }) => kind)).toEqual(['page', 'page']);
  });
});

describe('withCards', () => {
  const picture = { name: '0f0f.webp', width: 3, height: 2 };
  const cardsOf = (source: string) =>
    linksOf(source).map((link) => cardOf(link, { title: `T "${link.kind}"`, picture })!);
  const shown = (source: string) => {
    const { html } = renderMarkdown(source);
    const cards = cardsOf(source);
    let text = withCards(html, cards);
    expect(withCards(text, cards)).toBe(text);
    for (const [index, card] of cards.entries()) text = text.replace(card.html, `{${index}}`);
    return text;
  };

  test.each([
    ['see https://a.example/ and https://b.example/', /<\/a><\/p>\n\{0\}\n\{1\}$/],
    ['https://a.example/cat.png', /^\{0\}$/],
    ['https://a.example/cat.png?a=1&b=2', /^\{0\}$/],
    ['[cat](https://a.example/cat.png)', /^<p>.*<\/p>\n\{0\}$/],
    ['one https://a.example/\n\ntwo', /<\/p>\n\{0\}\n<p>two<\/p>$/],
    ['- https://a.example/\n- two', /<li>.*<\/a>\n\{0\}<\/li>\n<li>two<\/li>/],
    ['# https://a.example/', /<\/h1>\n\{0\}$/],
    ['|a|\n|-|\n|https://a.example/|', /<\/table>\n\{0\}$/],
    ['> https://a.example/\n\nhttps://a.example/', /<\/blockquote>\n<p>.*<\/p>\n\{0\}$/],
  ])('Puts the cards of %j after their blocks', (source, pattern) => {
    expect(shown(source)).toMatch(pattern);
  });

  test('Escapes titles, descriptions and addresses', () => {
    const [link] = linksOf('https://a.example/?a=1&b="');
    const card = cardOf(link!, { title: '<b>"&', description: "<script>'" });
    expect(card?.html).not.toMatch(/<b>|<script>|""/);
    expect(card?.html).toContain('title="&lt;b&gt;&quot;&amp;"');
  });

  test('Has no card without a title or, for pictures and videos, without a picture', () => {
    for (const source of ['https://a.example/', 'https://a.example/a.png', 'https://youtu.be/abc'])
      expect(cardOf(linksOf(source)[0]!, {})).toBeUndefined();
  });
});

describe('readPage', () => {
  test('Prefers Open Graph, and resolves the picture', () => {
    const page = `<!DOCTYPE html><html><head><title>Plain</title>
      <meta name="description" content="Plain &amp; long">
      <META property='og:title' content='Open &quot;Graph&quot; &#8211; x'>
      <meta property=og:image content=/cat.png></head><body><meta property="og:title" content="no">`;
    expect(readPage(page, 'https://a.example/b/c')).toEqual({
      title: 'Open "Graph" – x',
      description: 'Plain & long',
      image: 'https://a.example/cat.png',
    });
  });

  test('Ignores comments, scripts and other schemes', () => {
    const page = `<!-- <title>no</title> --><script>"<title>no</title>"</script><title> A
      b </title><meta property="og:image" content="javascript:alert(1)"><meta name="twitter:description">`;
    expect(readPage(page, 'https://a.example/')).toEqual({ title: 'A b' });
  });

  test('Shortens long texts', () => {
    const { title, description } = readPage(
      `<title>${'x'.repeat(300)}</title><meta name=description content="${'😀'.repeat(500)}">`,
      'https://a.example/',
    );
    expect([...(title ?? '')]).toHaveLength(200);
    expect([...(description ?? '')]).toHaveLength(400);
  });

  test.each(['<', '<!--', '<meta', '<meta a="', '<script>', '<title>', '&#', '<meta content='])(
    'Reads half a megabyte of %j without quadratic work',
    (piece) => {
      expect(readPage(piece.repeat(500_000 / piece.length), 'https://a.example/').image).toBeUndefined();
    },
  );
});

test('decodePage reads the encoding of the header, the mark or the page', () => {
  const latin = Buffer.from('<meta charset="iso-8859-1">caf\xe9', 'latin1');
  expect(decodePage(latin, 'text/html')).toContain('café');
  expect(decodePage(Buffer.from('caf\xe9', 'latin1'), 'text/html; charset=windows-1252')).toBe('café');
  expect(decodePage(Buffer.from('\uFEFFcafé', 'utf16le'), 'text/html')).toBe('café');
  expect(decodePage(Buffer.from('café'), 'text/html; charset=nonsense')).toBe('café');
});

describe('The title of a video', () => {
  test('Comes from a page of its provider, by an address that only has the id of the video', () => {
    const [shown] = linksOf('https://youtu.be/dQw4w9WgXcQ?si=tracking');
    expect(shown?.titleSource).toBe(
      'https://www.youtube.com/oembed?format=json&url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3DdQw4w9WgXcQ',
    );
    const [hidden] = linksOf('https://youtu.be/dQw4w9WgXcQ', { showsPages: false });
    expect(hidden).not.toHaveProperty('titleSource');
  });

  test.each([
    ['{"title":"A  <b>film</b>","html":"<script>"}', 'A <b>film</b>'],
    ['{"title":""}', undefined],
    ['{"title":1}', undefined],
    ['[]', undefined],
    ['null', undefined],
    ['no JSON', undefined],
  ])('Comes from %s', (document, title) => {
    expect(readVideoTitle(Buffer.from(document))).toBe(title);
  });

  test.each([
    ['youtube', 'https://youtu.be/dQw4w9WgXcQ', 'YouTube - A &lt;film&gt;'],
    ['vimeo', 'https://vimeo.com/123', 'Vimeo - A &lt;film&gt;'],
  ] as const)(
    'Takes the place of a bare link to %s, and leaves other texts of links',
    (_kind, url, shown) => {
      const { html } = renderMarkdown(`${url} and [mine](${url}?x=1)`);
      const [link] = linksOf(url);
      if (!link) throw new Error('no link');
      const card = cardOf(link, {
        title: 'A <film>',
        picture: { name: 'p.jpg', width: 480, height: 360 },
      });
      const text = withCards(html, card ? [card] : []);
      expect(text).toContain(`<a href="${url}">${shown}</a>`);
      expect(text).toContain('>mine</a>');
      expect(withCards(text, card ? [card] : [])).toBe(text);
    },
  );

  test('Leaves the link as it is where none is known', () => {
    const url = 'https://youtu.be/dQw4w9WgXcQ';
    const [link] = linksOf(url);
    const card = link && cardOf(link, { picture: { name: 'p.jpg', width: 480, height: 360 } });
    expect(withCards(renderMarkdown(url).html, card ? [card] : [])).toContain(`>${url}</a>`);
  });
});
