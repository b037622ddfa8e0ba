import { describe, expect, test } from 'vitest';
import { systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import type { Visitor } from './browser.ts';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, open } = await openPair();
const { owner } = stage.service;
/** Its creator administers it. */
const channel = await createChannel(stage.service, [owner, ada, bo]);
const hashOf = (topic: string): string => `#narrow/channel/${channel.channelId}/topic/${topic}`;

const { nobody, everyone, members, administrators } = systemGroups;

const patch = async (path: string, params: Record<string, unknown>): Promise<void> => {
  const { status, body } = await owner.patch(path, params);
  expect(status, JSON.stringify(body)).toBe(200);
};
const setRealm = (changes: Record<string, number>): Promise<void> =>
  patch('/realm', Object.fromEntries(Object.entries(changes).map(([name, group]) => [name, { new: group }])));
const setChannel = (name: string, group: number): Promise<void> =>
  patch(`/streams/${channel.channelId}`, { [name]: { new: group } });

/** The entries of a menu, which is closed again. */
async function entriesOf({ page }: Visitor, button: string): Promise<string[]> {
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('menuitem').first().waitFor();
  const all = await page.getByRole('menuitem').locator('span:first-of-type').allTextContents();
  await page.keyboard.press('Escape');
  await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
  return all;
}

const MOVING = ['Rename topic…', 'Move topic…'];

describe.runIf(browser)('The client of a member without rights', () => {
  test('Offers nothing that the service would refuse, and what it would accept as soon as the right is given', async () => {
    await setRealm({
      can_resolve_topics_group: nobody,
      can_move_messages_between_topics_group: administrators,
      can_move_messages_between_channels_group: administrators,
      can_delete_any_message_group: administrators,
      can_delete_own_message_group: administrators,
    });
    await bo.send(channel.name, 'plan', 'from Bo');
    await ada.send(channel.name, 'plan', 'from Ada');
    const { visitor, page } = await open(hashOf('plan'));
    await visitor.reads('from Ada');
    const resolve = page.getByRole('button', { name: 'Mark as resolved' });
    const all = await entriesOf(visitor, 'Topic menu');
    expect(all.filter((entry) => /resolve|Rename|Move|Delete/i.test(entry))).toEqual([]);
    expect(await resolve.count()).toBe(0);
    // The keys of moving and of deletion do nothing, and that of the menu shows neither.
    await page.locator('.main h1').click();
    await page.keyboard.press('j');
    await page.keyboard.press('m');
    await page.keyboard.press('Delete');
    await page.keyboard.press('i');
    const entries = await page.getByRole('menuitem').locator('span:first-of-type').allTextContents();
    expect(entries.filter((entry) => /^(Move|Delete)/.test(entry))).toEqual([]);
    expect(await page.locator('dialog').count()).toBe(0);
    await page.keyboard.press('Escape');
    // The bar of a feed with several conversations has no such button either.
    await visitor.goTo(stage.service, '#feed');
    const bar = page.locator('.bar', { hasText: 'plan' });
    await bar.first().waitFor();
    expect(await bar.getByRole('button', { name: 'Mark as resolved' }).count()).toBe(0);
    await visitor.goTo(stage.service, hashOf('plan'));
    await visitor.reads('from Ada');
    await setRealm({
      can_resolve_topics_group: everyone,
      can_move_messages_between_topics_group: everyone,
      can_delete_any_message_group: members,
    });
    await resolve.waitFor();
    const offers = await entriesOf(visitor, 'Topic menu');
    expect(offers).toEqual(expect.arrayContaining([...MOVING, 'Mark topic as resolved', 'Delete topic…']));
    // The channel of the messages stays: that right is missing.
    await page.locator('.main h1').click();
    await page.keyboard.press('j');
    await page.keyboard.press('m');
    await page.locator('dialog input[list]').waitFor();
    expect(await page.locator('dialog select').isDisabled()).toBe(true);
    expect(await page.locator('dialog input[list]').isDisabled()).toBe(false);
  });

  test('Takes away what a channel no longer allows while its page is open', async () => {
    await setRealm({ can_resolve_topics_group: nobody });
    await setChannel('can_resolve_topics_group', everyone);
    await bo.send(channel.name, 'by channel', 'here');
    const { page } = await open(hashOf('by.20channel'));
    const resolve = page.getByRole('button', { name: 'Mark as resolved' });
    await resolve.waitFor();
    await setChannel('can_resolve_topics_group', nobody);
    await resolve.waitFor({ state: 'detached' });
  });

  test('Says why nothing can be written to a channel, and keeps the draft until it can', async () => {
    const { visitor, page } = await open(hashOf('closed'));
    const closed = page.locator('.compose-closed');
    // A typing notice that is on its way when the right ends would be refused.
    const noticed = page.waitForResponse('**/api/v1/typing');
    await visitor.composer.fill('half a thought');
    await noticed;
    await setChannel('can_send_message_group', administrators);
    await closed.getByText(`You don’t have permission to post in #${channel.name}.`).waitFor();
    expect(await visitor.composer.count()).toBe(0);
    await visitor.expectAccessible();
    await setChannel('can_send_message_group', everyone);
    await visitor.expectDraft('half a thought');
    await setChannel('can_create_topic_group', administrators);
    await closed.getByText(`You can’t start topics in #${channel.name}`).waitFor();
    await visitor.goTo(stage.service, `#narrow/channel/${channel.channelId}`);
    await closed.getByText(`You can’t start topics in #${channel.name}`).waitFor();
    await setChannel('can_create_topic_group', everyone);
    await page.getByRole('button', { name: `New topic in ${channel.name}` }).waitFor();
  });

  test('Says why the topic of a channel, or an archived channel, takes no messages', async () => {
    const other = await createChannel(stage.service, [owner, ada], { send_new_subscription_messages: false });
    const { visitor, page } = await open(`#narrow/channel/${other.channelId}/topic/`);
    const closed = page.locator('.compose-closed');
    await visitor.composer.waitFor();
    await patch(`/streams/${other.channelId}`, { topics_policy: 'disable_empty_topic' });
    await closed.getByText(`Messages in #${other.name} need a topic.`).waitFor();
    await visitor.goTo(stage.service, `#narrow/channel/${other.channelId}/topic/a`);
    await visitor.composer.waitFor();
    await owner.delete(`/streams/${other.channelId}`);
    await closed.getByText('This channel is archived. You can read it, but not post.').waitFor();
  });

  test('Says why nobody can be written to', async () => {
    const cy = await createUser(stage.service, 'Cy');
    const { visitor, page } = await open(`#narrow/dm/${bo.userId}`);
    const closed = page.locator('.compose-closed');
    await visitor.composer.waitFor();
    await setRealm({ direct_message_initiator_group: administrators });
    await closed.getByText('You can’t start direct conversations').waitFor();
    await setRealm({ direct_message_initiator_group: everyone });
    await visitor.composer.waitFor();
    await setRealm({ direct_message_permission_group: nobody });
    await closed.getByText('Direct messages are turned off in this organization.').waitFor();
    await setRealm({ direct_message_permission_group: administrators });
    await closed.getByText('This conversation needs someone who may use direct messages').waitFor();
    await visitor.goTo(stage.service, `#narrow/dm/${owner.userId}`);
    await visitor.composer.waitFor();
    await setRealm({ direct_message_permission_group: everyone });
    await visitor.goTo(stage.service, `#narrow/dm/${cy.userId}`);
    await visitor.composer.waitFor();
    await owner.delete(`/users/${cy.userId}`);
    await closed.getByText('Cy is deactivated. You can read this conversation, but not post.').waitFor();
  });

  test('Says on the pages of new channels and groups that the viewer may create none', async () => {
    const setAll = (group: number) =>
      setRealm({
        can_create_public_channel_group: group,
        can_create_private_channel_group: group,
        can_create_groups: group,
      });
    await setAll(administrators);
    const { visitor, page } = await open('#channels/new');
    await page.getByRole('heading', { name: 'You can’t create channels' }).waitFor();
    await visitor.finds(stage.service, '#groups/new');
    await page.getByRole('heading', { name: 'You can’t create groups' }).waitFor();
    await setAll(members);
    await page.getByRole('button', { name: 'Create group' }).waitFor();
  });
});
