import { describe, expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import {
  archiveChannel,
  createChannel,
  createUser,
  createUsers,
  drainMessages,
} from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { createGroup } from '../user-groups/group-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo Twice');
await createUsers(service, 'Bo twice');
const guest = await createUser(service, 'Guest', 600);
const room = await createChannel(service, [ada, guest]);
const secret = await createChannel(service, [bo], { invite_only: true });
const groupId = await createGroup(ada, [ada], { name: 'Backend' });

async function render(content: string, author = ada): Promise<string> {
  const { status, body } = await author.post('/messages/render', { content });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.rendered;
}

describe('Rendering a message', () => {
  test('Returns its HTML, and refuses empty content', async () => {
    expect(await render('**hi**\nyou')).toBe('<p><strong>hi</strong><br>\nyou</p>');
    expectRefusal(await ada.post('/messages/render', { content: ' \n' }), 'Message must not be empty');
  });

  test('Notifies no user', async () => {
    const queue = await ada.listen();
    await render(`@**|${ada.userId}**`);
    expect(await drainMessages(queue)).toEqual([]);
  });

  test('Equals the rendering of a sent message', async () => {
    const content = `@**Ada** #**${room.name}** :smile: $$x$$\n\`\`\`js\nlet x;\n\`\`\``;
    const queue = await ada.listen({ apply_markdown: true });
    await ada.send(room.channelId, 'topic', content);
    const [message] = await drainMessages(queue);
    expect(message.content).toBe(await render(content));
    expect(message.content).toContain(`<span class="user-mention" data-user-id="${ada.userId}">@Ada</span>`);
  });
});

describe('Names in a rendered message', () => {
  test('Link users by name and id', async () => {
    const mention = `<p><span class="user-mention" data-user-id="${bo.userId}">@Bo Twice</span></p>`;
    expect(await render(`@**Bo Twice|${bo.userId}**`)).toBe(mention);
    expect(await render(`@**|${bo.userId}**`)).toBe(mention);
    expect(await render('@**Bo Twice**')).toBe('<p>@<strong>Bo Twice</strong></p>');
    expect(await render('@**ada**')).toContain(`data-user-id="${ada.userId}"`);
  });

  test('Link groups, also system groups', async () => {
    const mention = (kind: string, id: number, name: string) =>
      `<p><span class="user-group-mention${kind}" data-user-group-id="${id}">${name}</span></p>`;
    expect(await render('@*backend*')).toBe(mention('', groupId, '@Backend'));
    expect(await render('@_*role:members*')).toBe(mention(' silent', 6, 'role:members'));
  });

  test('Link topics at their newest message', async () => {
    const id = await ada.send(room.channelId, 'Deploys', 'x');
    await service.settle();
    expect(await render(`#**${room.name}>deploys**`)).toContain(`/topic/deploys/with/${id}"`);
  });

  test('Link a channel only for users who may know it', async () => {
    const content = `#**${secret.name}** #**${secret.name}>x** #**${secret.name}>x@1**`;
    expect(await render(content, bo)).toContain(`data-stream-id="${secret.channelId}"`);
    expect(await render(content, ada)).not.toContain('<a');
    expect(await render(`#**${room.name}**`, guest)).toContain('<a class="stream"');
  });

  test('Link an archived channel like every other', async () => {
    const old = await createChannel(service, [ada]);
    await archiveChannel(service, old);
    expect(await render(`#**${old.name}**`)).toContain('<a class="stream"');
  });
});

describe('The cost of a message', () => {
  const readsOf = async (content: string) => (await unitsOf(service, () => render(content))).read;

  test('Depends on its names: nothing without any, and half a unit to a few for each', async () => {
    const nothing = await readsOf('hello');
    expect(await readsOf(':smile: $$x$$ <time:1> @**all**')).toBeLessThanOrEqual(nothing + 0.5);
    expect(await readsOf(`@**|${bo.userId}**`)).toBe(nothing + 1);
    expect(await readsOf('@*backend*')).toBe(nothing + 2);
    expect(await readsOf(`#**${room.name}**`)).toBe(nothing + 3);
    expect(await readsOf('@**Ada**')).toBeLessThanOrEqual(nothing + 2);
  });

  test('Stays within limits with ten thousand characters of names', async () => {
    const names = Array.from({ length: 1000 }, (_, n) => `@**|${n + 1}**`).join('');
    expect(await readsOf(names)).toBeLessThanOrEqual(110);
  });
});
