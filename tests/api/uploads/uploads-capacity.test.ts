import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { roles } from '#shared/domain/users/user.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { type Units, unitsOf } from '#tests/harness/units.ts';
import { attachmentAt, getAt, upload } from './files.ts';
import { TusClient } from './tus-client.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);
const room = await createChannel(service, [ada, bo], { invite_only: true });
await upload(ada);
await ada.send(room.name, 'cost', 'first of the day');
await ada.send(room.name, 'cost', 'the second, which finds the topic there');
await sweep(service.services);

/** The read and write units of an action, one of which is for the caller's account. */
async function expectCost(bounds: Units, act: () => Promise<unknown>): Promise<void> {
  const { read, write } = await unitsOf(service, act);
  expect(read, `${read} and ${write}`).toBeLessThanOrEqual(bounds.read);
  expect(write, `${read} and ${write}`).toBeLessThanOrEqual(bounds.write);
}

describe('The capacity of a file', () => {
  let url = '';
  let messageId = 0;

  test('Storing, linking and reading a file stay within their budget', async () => {
    await expectCost({ read: 5, write: 11 }, async () => {
      url = await upload(ada);
    });
    await expectCost({ read: 7, write: 9 }, async () => {
      messageId = await ada.send(room.name, 'cost', `[file](${url})`);
    });
    await expectCost({ read: 2, write: 0 }, () => getAt(url, ada));
    await expectCost({ read: 5, write: 0 }, () => getAt(url, bo));
    await expectCost({ read: 5, write: 0 }, () => getAt(url, guest));
    await expectCost({ read: 3, write: 0 }, () => ada.get('/attachments'));
  });

  test('Detaching and deleting a file stay within their budget', async () => {
    const edit = () => ada.patch(`/messages/${messageId}`, { content: 'none' });
    await expectCost({ read: 8.5, write: 12 }, edit);
    const { id } = await attachmentAt(ada, url);
    await expectCost({ read: 5, write: 14 }, async () => {
      await ada.delete(`/attachments/${id}`);
      await service.settle();
    });
  });

  test('Announcing, sending and completing an upload in pieces stay within their budget', async () => {
    const tus = new TusClient(ada);
    const bytes = new Uint8Array(1_000);
    let address = '';
    await expectCost({ read: 3, write: 7 }, async () => {
      address = await tus.at(3_000);
    });
    await expectCost({ read: 2, write: 3 }, () => tus.piece(address, 0, bytes));
    await tus.piece(address, 1_000, bytes);
    await expectCost({ read: 4, write: 14 }, async () => {
      await tus.piece(address, 2_000, bytes);
      await service.settle();
    });
    await expectCost({ read: 2, write: 0 }, () => tus.send('HEAD', address));
  });
});
