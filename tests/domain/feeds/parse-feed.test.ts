import { expect, test } from 'vitest';
import { parseFeed } from '#shared/domain/feeds/parse-feed.ts';
import { describeEntry } from '#shared/domain/feeds/post.ts';

const BASE = 'https://example.com/blog/feed.xml';

const RSS = `<?xml version="1.0"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/">
  <channel>
    <title>Kiln &amp; Co</title>
    <image><title>Logo</title></image>
    <item>
      <title>Older</title><link>/older</link><guid isPermaLink="false">1</guid>
      <pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate><description>First &lt;b&gt;words&lt;/b&gt;</description>
    </item>
    <item>
      <media:title>Not this</media:title><title><![CDATA[Newer <one>]]></title><link>https://example.com/newer</link>
      <pubDate>Tue, 03 Nov 2026 10:00:00 GMT</pubDate><content:encoded><![CDATA[<p>Second</p>]]></content:encoded>
    </item>
  </channel>
</rss>`;

const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom">
  <title type="text">Atom</title>
  <entry>
    <id>urn:1</id><title>Entry</title>
    <link rel="self" href="https://example.com/self"/><link rel="alternate" href="entry"/>
    <updated>2026-11-03T10:00:00Z</updated>
    <content type="xhtml"><div><title>Inner</title><p>Some <em>text</em></p></div></content>
    <author><id>not the id</id></author>
  </entry>
</feed>`;

const RDF = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
  <channel rdf:about="x"><title>Old style</title></channel>
  <item rdf:about="a"><title>A</title><link>https://example.com/a</link></item>
</rdf:RDF>`;

test('Reads RSS 2.0, the newest entry first', () => {
  expect(parseFeed(RSS, BASE)).toEqual({
    title: 'Kiln & Co',
    entries: [
      {
        id: 'https://example.com/newer',
        title: 'Newer <one>',
        link: 'https://example.com/newer',
        summary: '<p>Second</p>',
        publishedMs: Date.UTC(2026, 10, 3, 10),
      },
      {
        id: '1',
        title: 'Older',
        link: 'https://example.com/older',
        summary: 'First <b>words</b>',
        publishedMs: Date.UTC(2026, 10, 2, 10),
      },
    ],
  });
});

test('Reads Atom with markup within an entry', () => {
  const feed = parseFeed(ATOM, BASE);
  expect(feed).toMatchObject({
    title: 'Atom',
    entries: [{ id: 'urn:1', title: 'Entry', link: 'https://example.com/blog/entry' }],
  });
  expect(feed?.entries[0]?.summary.replaceAll(/\s+/g, ' ').trim()).toBe('InnerSome text');
});

test('Reads RSS 1.0, whose entries are outside of the channel', () => {
  expect(parseFeed(RDF, BASE)).toMatchObject({
    title: 'Old style',
    entries: [{ id: 'https://example.com/a', title: 'A' }],
  });
});

test.each([
  [''],
  ['no feed'],
  ['<html><head><title>A page</title></head></html>'],
  ['{"version": "https://jsonfeed.org/version/1"}'],
])('Rejects %j', (text) => {
  expect(parseFeed(text, BASE)).toBeUndefined();
});

test('Expands no entities that a document declares', () => {
  const entities = Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join(
    '',
  );
  const bomb = `<!DOCTYPE rss [<!ENTITY e0 "lol"><!ENTITY file SYSTEM "file:///etc/passwd">${entities}]>
    <rss><channel><title>&e20;</title><item><title>&e20; &file;</title><guid>1</guid></item></channel></rss>`;
  const feed = parseFeed(bomb, BASE);
  expect(feed?.title).toBe('&e20;');
  expect(feed?.entries).toMatchObject([{ title: '&e20; &file;' }]);
});

test('Reads a bounded number of entries and a bounded length of their texts', () => {
  const items = Array.from({ length: 5_000 }, (_, n) => `<item><guid>${n}</guid></item>`).join('');
  expect(parseFeed(`<rss><channel>${items}</channel></rss>`, BASE)?.entries).toHaveLength(100);
  const long = `<rss><channel><item><guid>1</guid><title>${'x'.repeat(1_000_000)}</title></item></channel></rss>`;
  expect(parseFeed(long, BASE)?.entries[0]?.title).toHaveLength(20_000);
});

test('Reads the rest of a document that is cut, unbalanced or deeply nested', () => {
  expect(parseFeed(RSS.slice(0, RSS.indexOf('<item>') + 60), BASE)?.title).toBe('Kiln & Co');
  expect(parseFeed('<rss><channel></item></item><item><guid>1', BASE)).toBeDefined();
  const nested = '<a>'.repeat(100_000);
  expect(parseFeed(`<rss><channel><title>T</title>${nested}`, BASE)).toMatchObject({ title: 'T' });
  expect(parseFeed(`<rss><channel><item><guid>1</guid>${nested}</item>`, BASE)).toBeDefined();
});

test.each([
  ['elements', '<a>'],
  ['tags without a name', '<'],
  ['ends of elements', '</a>'],
  ['entities', '&amp;'],
  ['half entities', '&'],
  ['sections of text', '<![CDATA['],
  ['comments', '<!--'],
  ['instructions', '<?a '],
  ['attributes', '<a b="'],
  ['attributes without values', '<a b '],
])(
  'Reads two megabytes of %s within seconds',
  (_what, piece) => {
    const hostile = piece.repeat(Math.floor(2_000_000 / piece.length));
    expect(parseFeed(`<rss><channel><title>T</title>${hostile}`, BASE)).toMatchObject({ title: 'T' });
    expect(parseFeed(`<rss><channel><item><guid>1</guid><title>${hostile}`, BASE)).toBeDefined();
  },
  10_000,
);

test('Describes an entry without mentions, other links and scripts', () => {
  const text = describeEntry({
    id: '1',
    title: 'New [release](https://evil.example) @**all**',
    link: 'javascript:alert(1)',
    summary: '<script>alert(1)</script><p>Hello @**all** and #**general**</p>~~~\n@_**Owner**',
    publishedMs: undefined,
  });
  expect(text).not.toMatch(/javascript|@\*|@_\*|#\*/);
  expect(text).toContain('~~~~ quote');
});

test('Shortens a long text at a space', () => {
  const text = describeEntry({
    id: '1',
    title: 'Long',
    link: 'https://example.com/',
    summary: 'word '.repeat(1_000),
    publishedMs: undefined,
  });
  expect(text.length).toBeLessThan(600);
  expect(text).toContain('word…\n');
});
