import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '#tests/harness/scene.ts';
import { organizationPagesOf, pagesOf } from '../pages.ts';
import { eventually, Visitor } from './browser.ts';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, channel, hashOf } = await openPair();
const { service } = stage;

const NOTHING = { userId: 0, channelId: 0, groupId: 0, botId: 0 };
const TEXT = 'Code:\n```css\n.mark { color: red }\n```\n| a | b |\n|---|---:|\n| 1 | 2 |\n\n$$\\frac{a}{b}$$';

// A test for each page: all of them in one would take longer than a test may on a busy machine.
describe.runIf(browser).each(['light', 'dark'] as const)('In the %s theme', (colorScheme) => {
  const shown = { ...NOTHING };
  // The theme changes no sizes.
  const isMeasured = colorScheme === 'light';
  const rule = isMeasured ? 'is accessible, and fits a telephone and a tablet' : 'is accessible';
  let member: Visitor;
  let owner: Visitor;
  beforeAll(async () => {
    const members = [ada.userId, bo.userId];
    const group = { name: `designers (${colorScheme})`, description: 'They draw.', members };
    const { body: made } = await ada.post('/user_groups/create', group);
    const names = { full_name: `Deploys (${colorScheme})`, short_name: `deploys-${colorScheme}` };
    const { body: bot } = await service.owner.post('/bots', names);
    await ada.send(channel.name, 'logo', TEXT);
    await service.settle();
    const ids = { userId: ada.userId, channelId: channel.channelId };
    Object.assign(shown, { ...ids, groupId: made.group_id, botId: bot.user_id });
    [member, owner] = await Promise.all([
      Visitor.open(browser!, { colorScheme }),
      Visitor.open(browser!, { colorScheme }),
    ]);
    await Promise.all([member.enter(service, bo.email), owner.enter(service, service.owner.email)]);
  });
  afterAll(() => Promise.all([member.leave(), owner.leave()]));

  /** Opens a page, and looks at it. */
  const look = async (visitor: Visitor, hash: string): Promise<void> => {
    await visitor.finds(service, hash);
    if (isMeasured) await visitor.expectFitting();
  };

  test.each(Object.keys(pagesOf(NOTHING)))(`The page “%s” of a member ${rule}`, (name) =>
    look(member, pagesOf(shown)[name]!),
  );

  test.each(Object.keys(organizationPagesOf(NOTHING)))(`The page “%s” of an administrator ${rule}`, (name) =>
    look(owner, organizationPagesOf(shown)[name]!),
  );

  test(`A conversation with code, a table and a formula ${rule}`, async () => {
    await look(member, hashOf('logo'));
    await member.reads('Code:');
    await member.expectAccessible();
  });

  test('The page of signing in is accessible', async () => {
    const visitor = await Visitor.open(browser!, { colorScheme });
    await visitor.page.goto(`${service.url}/login/`);
    await visitor.page.getByLabel('Email').waitFor();
    await visitor.expectAccessible();
  });
});

const ALL = { ...pagesOf(NOTHING), ...organizationPagesOf(NOTHING) };

describe.runIf(browser).each([
  ['member', 400],
  ['guest', 600],
] as const)('For a %s', (who, role) => {
  const failed: string[] = [];
  let visitor: Visitor;
  const shown = { ...NOTHING, userId: ada.userId, channelId: channel.channelId };
  beforeAll(async () => {
    const walker = await createUser(service, `Walking ${who}`, role);
    await ada.subscribe(channel.name, { principals: [walker.userId] });
    const { body: bot } = await service.owner.post('/bots', { full_name: `Of ${who}`, short_name: who });
    const group = { name: `walkers (${who})`, description: '', members: [ada.userId] };
    const { body: made } = await service.owner.post('/user_groups/create', group);
    Object.assign(shown, { botId: bot.user_id, groupId: made.group_id });
    visitor = await Visitor.open(browser!);
    visitor.page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
    });
    await visitor.enter(service, walker.email);
  });
  afterAll(() => visitor.leave());

  test.each(Object.keys(ALL))('The page “%s” makes no call that fails', async (name) => {
    await visitor.goTo(service, { ...pagesOf(shown), ...organizationPagesOf(shown) }[name]!);
    await visitor.page.waitForLoadState('networkidle');
    await eventually(() => visitor.page.locator('[aria-busy=true]').count()).toBe(0);
    expect(failed).toEqual([]);
  });
});
