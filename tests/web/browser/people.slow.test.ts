import { describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { eventually } from './browser.ts';
import { openStage } from './stage.ts';

const stage = await openStage();
const [ada, bo] = await createUsers(stage.service, 'Ada', 'Bo');

describe.runIf(stage.browser)('People in a browser', () => {
  test('A group includes the people of a subgroup, and shows who may join it', async () => {
    const create = async (name: string, members: Client[]): Promise<number> => {
      const fields = { name, description: '', members: members.map(({ userId }) => userId) };
      return (await ada.post('/user_groups/create', fields)).body.group_id;
    };
    const [launch] = [await create('launch', [ada]), await create('on-call', [bo])];
    const { visitor, page } = await stage.enter(ada.email);
    await visitor.goTo(stage.service, `#groups/${launch}`);
    const subgroups = page.locator('.group', { has: page.getByRole('heading', { name: /^Subgroups/ }) });
    await subgroups.getByRole('checkbox', { name: 'on-call' }).check();
    await subgroups.getByRole('button', { name: 'Add members' }).click();
    await page.locator('.line', { hasText: 'Through on-call' }).getByText('Bo').waitFor();
    await page.getByRole('combobox', { name: /^Join/ }).selectOption({ label: 'Members' });
    await page.getByText('Saved').waitFor();
    await subgroups.getByRole('button', { name: 'Remove on-call' }).click();
    await page.getByText('In on-call').waitFor({ state: 'hidden' });
    const { body } = await bo.post(`/user_groups/${launch}/members`, { add: [bo.userId] });
    expect(body).toMatchObject({ result: 'success' });
  });

  test('The desktop client shows notifications and the count, and plays a sound', async () => {
    const { visitor, page } = await stage.visit();
    const bridgeCalls: unknown[][] = [];
    await page.exposeFunction('noteTold', (...values: unknown[]) => bridgeCalls.push(values));
    await page.addInitScript(() => {
      const client = window as unknown as Record<string, unknown>;
      const note = client.noteTold as (...values: unknown[]) => void;
      client.electron_bridge = {
        send_event: (...values: unknown[]) => {
          note(...values);
          return true;
        },
        new_notification: (title: string, { body }: NotificationOptions) => {
          note('notification', title, body);
          return { close: () => undefined };
        },
      };
      document.hasFocus = () => false;
    });
    await visitor.enter(stage.service, ada.email);
    const sound = page.waitForRequest('**/static/audio/notification_sounds/zulip.wav');
    await bo.post('/messages', { type: 'direct', to: [ada.userId], content: 'Lunch is *ready*' });
    await sound;
    await eventually(() => bridgeCalls).toContainEqual(['total_unread_count', 1]);
    await eventually(() => bridgeCalls).toContainEqual(['notification', 'Bo (to you)', 'Lunch is ready']);
  });

  test('Dates and times follow the language and the hours of the settings', async () => {
    await bo.post('/messages', { type: 'direct', to: [bo.userId], content: 'a note' });
    const { visitor, page } = await stage.enter(bo.email);
    await visitor.goTo(stage.service, '#settings/preferences');
    await page.getByLabel('Language').selectOption('de');
    await page.locator('html[lang=de] .page').waitFor();
    await visitor.goTo(stage.service, `#narrow/dm/${bo.userId}`);
    await page.locator('.day', { hasText: 'Heute' }).first().waitFor();
  });

  test('A person is muted on the profile page, and only its owner deactivates an account', async () => {
    const [cleo] = await createUsers(stage.service, 'Cleo');
    const { visitor, page } = await stage.enter(cleo.email);
    visitor.expectComplaints();
    await visitor.goTo(stage.service, `#user/${bo.userId}`);
    await page.getByRole('button', { name: 'Mute', exact: true }).click();
    await page.getByRole('button', { name: 'Unmute' }).waitFor();
    expect((await cleo.get('/users/me')).status).toBe(200);
    await visitor.goTo(stage.service, '#settings/account-and-privacy');
    await page.getByRole('button', { name: 'Deactivate my account…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.waitForURL(/\/login\/$/);
    expect((await cleo.get('/users/me')).status).toBe(401);
  });
});
