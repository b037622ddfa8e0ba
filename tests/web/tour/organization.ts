import type { Service } from '#infra/local/start.ts';
import type { Shown } from '../pages.ts';
import { call, type Member, sendAs } from './calls.ts';
import { fillCrowd } from './crowd.ts';

/** Signs in to the organization of the tour. */
export const TOUR_PASSWORD = 'seven quiet lanterns';

const NAMES = [
  'Mara Lindqvist',
  'Tomás Ferreira',
  'Priya Nair',
  'Jonas Weber',
  'Aiko Tanaka',
  'Samuel Okoro',
];

type Said = [who: number, text: string, reactions?: string[]];

/** A realistic conversation at work; numbers are indexes of `NAMES`, and -1 is the owner. */
const LAUNCH: Said[] = [
  [
    0,
    'Morning! The new onboarding is behind a flag on staging. Please **click through it once** before lunch.',
  ],
  [1, 'On it. First impression: the second step is *so* much clearer now.', ['heart', '+1']],
  [
    2,
    'Numbers from the first hundred people who saw it:\n\n| step | before | now |\n|---|---:|---:|\n| invited a colleague | 31 % | 52 % |\n| sent a message | 64 % | 88 % |\n| came back next day | 40 % | 57 % |',
    ['tada', 'rocket', 'chart_with_upwards_trend'],
  ],
  [-1, 'That is a bigger jump than I hoped for. What changed the most?'],
  [
    2,
    'The empty screen is gone. People land in a topic that has a question in it, so they answer:\n\n```ts\nconst first = await openTopic(channel, "Say hello");\nawait welcome(member, first);\n```',
    ['eyes'],
  ],
  [3, 'One thing left from my side: the mail still has the old link. Fix is up, needs a review :pray:'],
  [4, 'Reviewed and merged. Deploying at **14:00**.', ['+1']],
  [
    0,
    'Then the plan for today:\n\n* Aiko deploys at 14:00\n* Tomás watches errors for an hour\n* we turn the flag on for everyone tomorrow',
  ],
  [1, 'Works for me. I have the dashboard open already.', ['raised_hands']],
];

const ELSEWHERE: [channel: string, topic: string, said: Said[]][] = [
  [
    'general',
    'summer party',
    [
      [5, 'Garden or rooftop? Vote until Friday :sunny:'],
      [3, 'Garden, with the big table.'],
    ],
  ],
  [
    'general',
    'welcome Samuel',
    [[0, 'Please welcome Samuel, who joins the support team today! :wave:', ['wave']]],
  ],
  ['engineering', 'search is slow on Mondays', [[4, 'The index was cold. It is warm now: 38 ms.', ['fire']]]],
  ['engineering', 'release 4.2', [[3, 'Notes are in the wiki, please complete them.']]],
  ['design', 'icons', [[1, 'Third round of icons, with the rounder corners.']]],
  ['design', 'dark theme', [[2, 'Contrast is at 4.5 everywhere now.']]],
  ['support', 'weekly numbers', [[5, '212 questions, median answer after 9 minutes.']]],
];

/** The pages that the tour opens, and the person who opens them. */
interface Filled extends Shown {
  botId: number;
  conversation: string;
  email: string;
  /** The key of a link by which a person joins. */
  joinAddress: string;
}

/** Fills an organization with people who talk. */
export async function fillOrganization(service: Service): Promise<Filled> {
  const owner: Member = { ...service.owner, key: service.owner.apiKey };
  const members: Member[] = [];
  for (const [index, name] of NAMES.entries()) {
    const email = `${name.split(' ')[0]?.normalize('NFD').replace(/\W/g, '').toLowerCase()}@example.com`;
    const fields = { email, password: TOUR_PASSWORD, full_name: name };
    const { user_id: userId } = await call(service, owner, 'POST', '/users', fields);
    const signIn = { username: email, password: TOUR_PASSWORD };
    const { api_key: key } = await call(service, owner, 'POST', '/fetch_api_key', signIn);
    members[index] = { email, userId, key };
  }
  const principals = [owner, ...members].map(({ userId }) => userId);
  for (const [name, description] of [
    ['product', 'What we build next, and why'],
    ['engineering', 'Releases, incidents and code'],
    ['design', 'Drafts are welcome here'],
    ['support', 'Questions of customers'],
    ['general', 'For everyone'],
  ])
    await call(service, owner, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name, description }],
      principals,
    });
  await fillCrowd(service, owner, members);
  const memberAt = (index: number): Member => members[index] ?? owner;
  const say = async (channel: string, topic: string, [who, content, reactions = []]: Said) => {
    const fields = { type: 'channel', to: channel, topic, content };
    const { id } = await sendAs(service, memberAt(who), fields);
    for (const [index, emoji_name] of reactions.entries())
      for (const reader of members.slice(index, index + 3))
        await call(service, reader, 'POST', `/messages/${id}/reactions`, { emoji_name });
  };
  for (const [channel, topic, said] of ELSEWHERE) for (const line of said) await say(channel, topic, line);
  for (const line of LAUNCH) await say('product', 'new onboarding', line);
  const direct = {
    type: 'direct',
    to: [owner.userId],
    content: 'Do you have ten minutes for the budget today?',
  };
  await sendAs(service, memberAt(0), direct);
  await sendAs(service, memberAt(4), { ...direct, content: 'Deployed. All quiet so far.' });
  for (const member of members.slice(0, 4))
    await call(service, member, 'POST', '/users/me/presence', { status: 'active' });
  const { streams } = await call(service, owner, 'GET', '/streams');
  const { stream_id } = streams.find(({ name }: { name: string }) => name === 'product');
  return {
    conversation: `#narrow/channel/${stream_id}-product/topic/new.20onboarding`,
    email: owner.email,
    userId: memberAt(0).userId,
    channelId: stream_id,
    ...(await arrange(service, owner, members)),
  };
}

/** The contents of lists and settings: groups, words, topics, invitations, bots, linkifiers. */
async function arrange(
  service: Service,
  owner: Member,
  members: Member[],
): Promise<{ groupId: number; botId: number; joinAddress: string }> {
  const as = (method: string, path: string, fields: object = {}) =>
    call(service, owner, method, path, fields);
  const ids = members.map(({ userId }) => userId);
  const group = async (name: string, description: string, of: number[], subgroups: number[] = []) =>
    (await as('POST', '/user_groups/create', { name, description, members: of, subgroups })).group_id;
  const designers = await group('designers', 'For a second pair of eyes', ids.slice(0, 2));
  const onCall = await group('on-call', 'Answers the pager this week', ids.slice(2, 4));
  const groupId = await group(
    'launch',
    'The launch of the autumn',
    [owner.userId, ...ids.slice(4)],
    [designers, onCall],
  );
  const old = await group('winter-party', 'Thank you all', ids.slice(0, 3));
  await as('POST', `/user_groups/${old}/deactivate`);
  await as('PATCH', '/realm', { description: 'Furniture that outlives its first home. Since 1987.' });
  await as('POST', '/users/me/alert_words', { alert_words: ['budget', 'oak veneer'] });
  await as('POST', `/users/me/muted_users/${ids[5]}`);
  await as('POST', '/realm/filters', {
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://issues.example.com/{id}',
  });
  const { user_id: botId } = await as('POST', '/bots', { full_name: 'Deploy bot', short_name: 'deploy' });
  await as('POST', '/invites', {
    invitee_emails: 'new.colleague@example.com',
    invite_as: 400,
    stream_ids: [],
  });
  const { invite_link: joinAddress } = await as('POST', '/invites/multiuse', {
    invite_as: 400,
    stream_ids: [],
  });
  return { groupId, botId, joinAddress };
}
