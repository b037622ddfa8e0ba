import { describe, expect, it } from 'vitest';
import { type Known, nothingKnown } from '#shared/markdown/known.ts';
import { findReferences } from '#shared/markdown/references.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import { loadParts } from '#shared/store/messages/markdown-parts.ts';

const known: Known = {
  ...nothingKnown,
  users: [
    { userId: 12, fullName: 'Ada Lovelace', isActive: true },
    { userId: 13, fullName: 'Bo', isActive: true },
    { userId: 14, fullName: 'bo', isActive: true },
    { userId: 15, fullName: 'Gone', isActive: false },
    { userId: 16, fullName: '<b>"&', isActive: true },
  ],
  groups: [
    { groupId: 5, name: 'backend', isDeactivated: false },
    { groupId: 6, name: 'old', isDeactivated: true },
  ],
  channels: [
    { channelId: 9, name: 'ch' },
    { channelId: 10, name: 'My (new) 50% ch.' },
  ],
  topics: [{ channelId: 9, topic: 't', newestMessageId: 123 }],
  emoji: [{ name: 'my_custom', url: '/user_avatars/a.png' }],
  origin: 'https://chat.example.com',
};

const render = async (source: string) =>
  renderMarkdown(source, { ...known, ...(await loadParts(findReferences(source))) });

const ada = '<span class="user-mention" data-user-id="12">@Ada Lovelace</span>';
const smile = '<span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span>';
const p = (html: string) => `<p>${html}</p>`;
const all = '<span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span>';
const ch = '<a class="stream" data-stream-id="9" href="/#narrow/channel/9-ch">#ch</a>';

const ROWS: [rule: string, source: string, html: string][] = [
  ['Mentions a user by name', '@**Ada Lovelace**', p(ada)],
  ['Mentions a user in any letter case', '@**ada lovelace**', p(ada)],
  ['Mentions a user by name and id', '@**Ada Lovelace|12**', p(ada)],
  ['Mentions a user by id', '(@**|12**)', p(`(${ada})`)],
  [
    'Mentions a user silently',
    '@_**Ada Lovelace**',
    p('<span class="user-mention silent" data-user-id="12">Ada Lovelace</span>'),
  ],
  [
    'Mentions a deactivated user silently',
    '@**Gone**',
    p('<span class="user-mention silent" data-user-id="15">Gone</span>'),
  ],
  [
    'Escapes names',
    '@**|16**',
    p('<span class="user-mention" data-user-id="16">@&lt;b&gt;&quot;&amp;</span>'),
  ],
  ['Leaves an ambiguous name', '@**Bo**', p('@<strong>Bo</strong>')],
  [
    'Distinguishes users of one name by id',
    '@**Bo|13**',
    p('<span class="user-mention" data-user-id="13">@Bo</span>'),
  ],
  ['Leaves an unknown name', '@**Nobody**', p('@<strong>Nobody</strong>')],
  ['Leaves a name that is not that of the id', '@**Ada|12**', p('@<strong>Ada|12</strong>')],
  ['Mentions nobody within a word', 'a@**Ada Lovelace**', p('a@<strong>Ada Lovelace</strong>')],
  ['Mentions nobody in code', '`@**Ada Lovelace**`', p('<code>@**Ada Lovelace**</code>')],
  ['Mentions nobody behind a backslash', '\\@**Ada Lovelace**', p('@<strong>Ada Lovelace</strong>')],
  ['Mentions everybody in a channel', '@**all**', p(all)],
  ['Mentions everybody by each name', '@**everyone**', p(all.replace('all', 'everyone'))],
  ['Mentions the channel', '@**channel**', p(all.replace('all', 'channel'))],
  ['Mentions the channel by its old name', '@**stream**', p(all.replace('all', 'stream'))],
  [
    'Mentions all users silently',
    '@_**all**',
    p('<span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span>'),
  ],
  ['Mentions a topic', '@**topic**', p('<span class="topic-mention">@topic</span>')],
  ['Mentions a topic silently', '@_**topic**', p('<span class="topic-mention silent">topic</span>')],
  [
    'Mentions a group',
    '@*backend*',
    p('<span class="user-group-mention" data-user-group-id="5">@backend</span>'),
  ],
  [
    'Mentions a group silently',
    '@_*backend*',
    p('<span class="user-group-mention silent" data-user-group-id="5">backend</span>'),
  ],
  [
    'Mentions a deactivated group silently',
    '@*old*',
    p('<span class="user-group-mention silent" data-user-group-id="6">old</span>'),
  ],
  ['Leaves an unknown group', '@*nobody*', p('@<em>nobody</em>')],
  [
    'Mentions silently in a quote',
    '> @**|12**',
    `<blockquote>\n${p(ada.replace('mention"', 'mention silent"').replace('@', ''))}\n</blockquote>`,
  ],
  ['Mentions nobody in a link', '[@**|12**](http://a)', p('<a href="http://a">@**|12**</a>')],
  ['Links to a channel', '#**ch**', p(ch)],
  ['Links to a channel in any letter case', '#**CH**', p(ch)],
  [
    'Encodes the name of a channel in its address',
    '#**My (new) 50% ch.**',
    p(
      '<a class="stream" data-stream-id="10" href="/#narrow/channel/10-My-.28new.29-50.25-ch.2E">#My (new) 50% ch.</a>',
    ),
  ],
  ['Leaves an unknown channel', '#**x** #**x>t**', p('#<strong>x</strong> #<strong>x&gt;t</strong>')],
  [
    'Links to a topic at its newest message',
    '#**ch>t**',
    p(
      '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-ch/topic/t/with/123">#ch &gt; t</a>',
    ),
  ],
  [
    'Links to a topic without messages',
    '#**ch>ü <**',
    p(
      '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-ch/topic/.C3.BC.20.3C">#ch &gt; ü &lt;</a>',
    ),
  ],
  [
    'Links to the topic without a name',
    '#**ch>**',
    p(
      '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-ch/topic/">#ch &gt; <em>general chat</em></a>',
    ),
  ],
  [
    'Links to a message',
    '#**ch>t@123**',
    p('<a class="message-link" href="/#narrow/channel/9-ch/topic/t/near/123">#ch &gt; t @ 💬</a>'),
  ],
  ['Keeps a place in a link as text', '[#**ch**](http://a)', p('<a href="http://a">#**ch**</a>')],
  [
    'Makes links to views of the service relative',
    '[t](https://chat.example.com/#narrow/channel/9-ch)',
    p('<a href="#narrow/channel/9-ch">t</a>'),
  ],
  ['Keeps links to uploaded files', '[t](/user_uploads/1/a.png)', p('<a href="/user_uploads/1/a.png">t</a>')],
  ['Shows emoji by name', 'a :smile:', p(`a ${smile}`)],
  ['Shows emoji as characters', '🙂', p(smile)],
  [
    'Shows emoji of several characters',
    '❤️',
    p('<span aria-label="heart" class="emoji emoji-2764" role="img" title="heart">:heart:</span>'),
  ],
  [
    'Shows emoji whose names have signs',
    '👎 :e-mail: :non_potable_water:',
    p(
      '<span aria-label="-1" class="emoji emoji-1f44e" role="img" title="-1">:-1:</span> ' +
        '<span aria-label="e-mail" class="emoji emoji-1f4e7" role="img" title="e-mail">:e-mail:</span> ' +
        '<span aria-label="non potable water" class="emoji emoji-1f6b1" role="img" title="non potable water">:non_potable_water:</span>',
    ),
  ],
  [
    'Shows the flags of England, Scotland and Wales',
    '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
    p(
      '<span aria-label="flag-scotland" class="emoji emoji-1f3f4-e0067-e0062-e0073-e0063-e0074-e007f" role="img" title="flag-scotland">:flag-scotland:</span>',
    ),
  ],
  [
    'Leaves flags without a name',
    '🏴\u{E0075}\u{E0073}\u{E0074}\u{E0078}\u{E007F}',
    p('🏴\u{E0075}\u{E0073}\u{E0074}\u{E0078}\u{E007F}'),
  ],
  ['Leaves emoji in the style of text', '☎︎ ❤︎ 1︎⃣', p('☎︎ ❤︎ 1︎⃣')],
  ['Shows one emoji after the other', ':nosuch:smile::smile:', p(`:nosuch${smile}${smile}`)],
  [
    'Shows emoji of the organization',
    ':my_custom:',
    p('<img alt=":my_custom:" class="emoji" src="/user_avatars/a.png" title="my custom">'),
  ],
  [
    'Shows the emoji of the protocol',
    ':zulip:',
    p(
      '<img alt=":zulip:" class="emoji" src="/static/generated/emoji/images/emoji/unicode/zulip.png" title="zulip">',
    ),
  ],
  ['Leaves unknown emoji', ':nosuch: 10:30:15 ©', p(':nosuch: 10:30:15 ©')],
  ['Leaves emoji in code', '`:smile:`', p('<code>:smile:</code>')],
  ['Leaves escaped emoji', '\\:smile:', p(':smile:')],
  [
    'Leaves emoji in addresses',
    'https://a/:smile:b',
    p('<a href="https://a/:smile:b">https://a/:smile:b</a>'),
  ],
  [
    'Leaves times that are not in ISO 8601',
    '<time:1496701800> <time:June 5th 2017, 10:30PM>',
    p('&lt;time:1496701800&gt; &lt;time:June 5th 2017, 10:30PM&gt;'),
  ],
  [
    'Leaves days that no month has',
    '<time:2026-02-30T10:00:00Z> <time:2026-04-31> <time:2100-02-29>',
    p('&lt;time:2026-02-30T10:00:00Z&gt; &lt;time:2026-04-31&gt; &lt;time:2100-02-29&gt;'),
  ],
  ['Reads a leap day', '<time:2028-02-29>', p('<time datetime="2028-02-29T00:00:00Z">2028-02-29</time>')],
  [
    'Shows times with a zone',
    '<time:2017-06-06T01:30:00+03:00>',
    p('<time datetime="2017-06-05T22:30:00Z">2017-06-06T01:30:00+03:00</time>'),
  ],
  ['Reads days', '<time:2017-06-05>', p('<time datetime="2017-06-05T00:00:00Z">2017-06-05</time>')],
  ['Leaves an invalid time', '<time:soon> <time:2017-13-45>', p('&lt;time:soon&gt; &lt;time:2017-13-45&gt;')],
  ['Shows fenced quotes', '```quote\nq\n```', '<blockquote>\n<p>q</p>\n</blockquote>'],
  [
    'Shows code and quotes in fenced quotes',
    '```quote\n~~~\nx\n~~~\n```quote\nq\n```\n```\na',
    '<blockquote>\n<div class="codehilite"><pre><span></span><code>x\n</code></pre></div>\n<blockquote>\n<p>q</p>\n</blockquote>\n</blockquote>\n<p>a</p>',
  ],
  [
    'Shows spoilers',
    '```spoiler h\nc\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>h</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>c</p>\n</div></div>',
  ],
  [
    'Shows spoilers without a header',
    '```spoiler\nc',
    '<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n<p>c</p>\n</div></div>',
  ],
  [
    'Colours code',
    '```py\nx = 1\n```',
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code>x = <span class="m">1</span>\n</code></pre></div>',
  ],
  [
    'Keeps the word for an unknown language',
    '```nosuch\n<x>\n```',
    '<div class="codehilite" data-code-language="nosuch"><pre><span></span><code>&lt;x&gt;\n</code></pre></div>',
  ],
  [
    'Shows formulas that have no meaning as text',
    '$$\\nosuch{$$',
    p('<span class="tex-error">$$\\nosuch{$$</span>'),
  ],
  ['Shows an action of the sender as text', '/me waves', p('/me waves')],
];

describe('The dialect', () => {
  it.each(ROWS)('%s', async (_rule, source, html) => {
    expect((await render(source)).html).toBe(html);
  });

  it('Renders formulas, also in MathML', async () => {
    const { html } = await render('$$\\frac{a}{b}$$');
    expect(html).toMatch(/^<p><span class="katex"><span class="katex-mathml"><math xmlns=/);
    expect(html).toContain('<annotation encoding="application/x-tex">\\frac{a}{b}</annotation>');
    expect(html).toContain('style="height:');
  });

  it.each(['math', 'Math'])('Renders formulas on lines of their own, marked as %s', async (language) => {
    const { html } = await render(`\`\`\`${language}\nx^2\n\`\`\``);
    expect(html).toMatch(/^<p><span class="katex-display"><span class="katex">.*<\/p>$/s);
  });
});

describe('The users that a text mentions', () => {
  it('Include every user who is mentioned loudly, once', async () => {
    expect(await render('@**|12** @**|12** @**|13** @*backend* @**all** @**topic**')).toMatchObject({
      mentionedUserIds: [12, 13],
      mentionedGroupIds: [5],
      mentionsChannel: true,
      mentionsTopic: true,
    });
  });

  it('Exclude mentions that are silent, quoted, in code, in links or unknown', async () => {
    const silent = '@_**|12** @_*backend* @_**all** @_**topic** @**Nobody** @*nobody* @**|15** @*old*';
    const others = '`@**|12**`\n[@**all**](http://a)\n> @**|12** @*backend*\n\n```\n@**topic**\n```';
    expect(await render(`${silent}\n\n${others}\n\n\`\`\`quote\n@**all**\n\`\`\``)).toMatchObject({
      mentionedUserIds: [],
      mentionedGroupIds: [],
      mentionsChannel: false,
      mentionsTopic: false,
    });
  });
});

describe('The names in a text', () => {
  it('Can be empty', () => {
    expect(findReferences('hi, a@b.c #1 10:30')).toEqual({
      userNames: [],
      userIds: [],
      groupNames: [],
      channelNames: [],
      topics: [],
      emojiNames: [],
      uploadPaths: [],
      needs: { unicodeEmoji: false, highlight: false, math: false, origin: false },
    });
  });

  it('Include each name once, and not the words for every user', () => {
    const source = '@**A** @**a** @**B|3** @**|4** @*g* @**all** @**topic** #**c** #**c>t** #**d>t@5** :x:y:';
    expect(findReferences(source)).toMatchObject({
      userNames: ['a'],
      userIds: [3, 4],
      groupNames: ['g'],
      channelNames: ['c', 'd'],
      topics: [{ channel: 'c', topic: 't' }],
      emojiNames: ['x', 'y'],
    });
  });

  it('Number at most a hundred of a type', () => {
    const source = Array.from({ length: 300 }, (_, id) => `@**|${id + 1}** #**c${id}>t** :e${id}:`).join(' ');
    const { userIds, channelNames, topics, emojiNames } = findReferences(source);
    for (const found of [userIds, channelNames, topics, emojiNames]) expect(found).toHaveLength(100);
  });
});
