import { describe, expect, test } from 'vitest';
import { linksOfTopic, noLinker } from '#shared/domain/linkifiers/links.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';

/** The address that is shown and the one that is linked, in each link of a text. */
const linksOf = (source: string): string[] =>
  [...renderMarkdown(source).html.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href = '', text]) =>
    href === text ? href : `${text} -> ${href}`,
  );

describe('An address in a text', () => {
  test.each([
    ['See https://example.com/guide: it helps', 'https://example.com/guide'],
    ['Is it https://example.com/a?', 'https://example.com/a'],
    ['(see https://example.com/a(b)).', 'https://example.com/a(b)'],
    ['"https://example.com/q?a=1;", and', 'https://example.com/q?a=1'],
    ['https://example.com: yes', 'https://example.com'],
    ['http://build_host:8080/job', 'http://build_host:8080/job'],
    ['http://_dmarc.example.com', 'http://_dmarc.example.com'],
    ['https://ada@example.com/repo', 'https://ada@example.com/repo'],
    ['https://ada:key@example.com:8443/', 'https://ada:key@example.com:8443/'],
    ['https://[::1]:9991/x', 'https://[::1]:9991/x'],
    ['https://example.com/_a_/*b*/c', 'https://example.com/_a_/*b*/c'],
    ['请看https://example.com/a。', 'https://example.com/a'],
    ['https://example.com을', 'https://example.com'],
    ['~~https://example.com/x~~残り', 'https://example.com/x'],
    ['**https://example.com/**를', 'https://example.com/'],
    ['~~see https://example.com~~.', 'https://example.com'],
  ])('Ends before punctuation of the sentence: %j', (source, url) => {
    expect(linksOf(source)).toEqual([url]);
  });

  test.each([
    ['see example.com.', 'example.com -> http://example.com'],
    ['(docs.example.co.uk/a_b_c?x=1)', 'docs.example.co.uk/a_b_c?x=1 -> http://docs.example.co.uk/a_b_c?x=1'],
    ['example.dev:8080/x', 'example.dev:8080/x -> http://example.dev:8080/x'],
    ['*example.museum*, ok', 'example.museum -> http://example.museum'],
    ['请看example.com吧', 'example.com -> http://example.com'],
    ['site:example.org', 'example.org -> http://example.org'],
  ])('Can be a domain of a known ending: %j', (source, link) => {
    expect(linksOf(source)).toEqual([link]);
  });

  test.each([
    ['Write to team@example.com today', 'team@example.com -> mailto:team@example.com'],
    ['<a+b@mail.example.com>', 'a+b@mail.example.com -> mailto:a+b@mail.example.com'],
    ['请联系 team@example.com。', 'team@example.com -> mailto:team@example.com'],
    ['mailto:first.last@example.com:', 'first.last@example.com -> mailto:first.last@example.com'],
    ['root@build_host.internal', 'root@build_host.internal -> mailto:root@build_host.internal'],
  ])('Can be a mailbox: %j', (source, link) => {
    expect(linksOf(source)).toEqual([link]);
  });

  test.each([
    'views.py README.md Main.java a.zip clip.mov',
    'views.py:12 and src/example.com/x',
    'git@github.com:org/repo.git',
    'react@18.2.0 @scope/name@1.0.0-rc.1',
    'done.In one go, e.g. 3.5 or i.e. a.b',
    '1.2.3 v2.0 obj.method() ...',
    '`example.com` `a@example.com`',
    'a@b @example',
    'example.com@ .com x..com',
    'ftp://example.com file:///a.com //example.com',
    'www. www.a www.[::1] www.a.',
  ])('Does not exist in %j', (source) => {
    expect(linksOf(source)).toEqual([]);
  });

  test('Keeps a domain in the text of a link', () => {
    expect(linksOf('[example.com](https://example.org)')).toEqual(['example.com -> https://example.org']);
  });

  test('Leads to a path of the service if it is root-relative', () => {
    expect(linksOf('[x](/path?a=b#c)')).toEqual(['x -> /path?a=b#c']);
    expect(linksOf('[x](//example.com) [y](/\\example.com)')).toEqual([]);
  });

  test('In a topic is the same as in a message', () => {
    const topic = 'see https://a.b/c: example.com, views.py, a@example.com (http://my_host/x)!';
    expect(linksOfTopic(topic, noLinker)).toEqual([
      { text: 'https://a.b/c', url: 'https://a.b/c' },
      { text: 'example.com', url: 'https://example.com' },
      { text: 'a@example.com', url: 'mailto:a@example.com' },
      { text: 'http://my_host/x', url: 'http://my_host/x' },
    ]);
  });
});
