import { describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { STEP, Visitor } from './browser.ts';
import { launchBrowser } from './launch.ts';
import { openStage } from './stage.ts';

const browser = await launchBrowser();
const stage = await openStage(browser);
const [ada, bo] = await createUsers(stage.service, 'Ada', 'Bo');

describe.runIf(browser)('People in a browser', () => {
  const visit = async (who: Client): Promise<Visitor> => {
    const visitor = await Visitor.open(browser!);
    await visitor.enter(stage.service, who.email);
    return visitor;
  };
  const openPage = (visitor: Visitor, hash: string) => visitor.goTo(stage.service, hash);

  test('A group includes the people of a subgroup, and shows who may join it', async () => {
    const create = async (name: string, members: Client[]): Promise<number> => {
      const fields = { name, description: '', members: members.map(({ userId }) => userId) };
      return (await ada.post('/user_groups/create', fields)).body.group_id;
    };
    const [launch] = [await create('launch', [ada]), await create('on-call', [bo])];
    const a = await visit(ada);
    await openPage(a, `#groups/${launch}`);
    const subgroups = a.page.locator('.group', { has: a.page.getByRole('heading', { name: /^Subgroups/ }) });
    await subgroups.getByRole('checkbox', { name: 'on-call' }).check();
    await subgroups.getByRole('button', { name: 'Add members' }).click();
    await a.page.locator('.line', { hasText: 'Through on-call' }).getByText('Bo').waitFor();
    await a.page.getByRole('combobox', { name: /^Join/ }).selectOption({ label: 'Members' });
    await a.page.getByText('Saved').waitFor();
    await subgroups.getByRole('button', { name: 'Remove on-call' }).click();
    await a.page.getByText('In on-call').waitFor({ state: 'hidden' });
    const { body } = await bo.post(`/user_groups/${launch}/members`, { add: [bo.userId] });
    expect(body).toMatchObject({ result: 'success' });
    await a.leave();
  });

  test('The desktop client shows notifications and the count, and plays a sound', async () => {
    const a = await Visitor.open(browser!);
    const bridgeCalls: unknown[][] = [];
    await a.page.exposeFunction('noteTold', (...values: unknown[]) => bridgeCalls.push(values));
    await a.page.addInitScript(() => {
      const page = window as unknown as Record<string, unknown>;
      const note = page.noteTold as (...values: unknown[]) => void;
      page.electron_bridge = {
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
    await a.enter(stage.service, ada.email);
    const sound = a.page.waitForRequest('**/static/audio/notification_sounds/zulip.wav');
    await bo.post('/messages', { type: 'direct', to: [ada.userId], content: 'Lunch is *ready*' });
    await sound;
    await expect.poll(() => bridgeCalls, STEP).toContainEqual(['total_unread_count', 1]);
    await expect
      .poll(() => bridgeCalls, STEP)
      .toContainEqual(['notification', 'Bo (to you)', 'Lunch is ready']);
    await a.leave();
  });

  test('Dates and times follow the language and the hours of the settings', async () => {
    await bo.post('/messages', { type: 'direct', to: [bo.userId], content: 'a note' });
    const b = await visit(bo);
    await openPage(b, '#settings/preferences');
    await b.page.getByLabel('Language').selectOption('de');
    await b.page.locator('html[lang=de] .page').waitFor();
    await openPage(b, `#narrow/dm/${bo.userId}`);
    await b.page.locator('.day', { hasText: 'Heute' }).first().waitFor();
    await b.leave();
  });

  test('A person is muted on the profile page, and only its owner deactivates an account', async () => {
    const [cleo] = await createUsers(stage.service, 'Cleo');
    const c = await visit(cleo);
    await openPage(c, `#user/${bo.userId}`);
    await c.page.getByRole('button', { name: 'Mute', exact: true }).click();
    await c.page.getByRole('button', { name: 'Unmute' }).waitFor();
    expect((await cleo.get('/users/me')).status).toBe(200);
    await openPage(c, '#settings/account-and-privacy');
    await c.page.getByRole('button', { name: 'Deactivate my account…' }).click();
    await c.page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await c.page.waitForURL(/\/login\/$/);
    expect((await cleo.get('/users/me')).status).toBe(401);
    await c.context.close();
  });
});
