import { expect, test } from 'vitest';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { unchangedCheck } from '#shared/domain/channels/channel-check.ts';
import { folderOrderChange } from '#shared/domain/channels/folder-changes.ts';
import type { Folder } from '#shared/domain/channels/folders.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { userKeys } from '#shared/table/keys/users.ts';

test('A channel is checked unless another write of the change concerns it', () => {
  const channel = { channelId: 5, revision: 2 } as Channel;
  const check = {
    ...{ kind: 'check', key: channelKeys.channel(5) },
    condition: { exists: true, belowOrAbsent: { revision: 3 } },
  };
  const update = (key: ReturnType<typeof channelKeys.channel>) => ({
    kind: 'update' as const,
    key,
    add: { n: 1 },
  });
  expect(unchangedCheck(channel, [])).toEqual([check]);
  expect(unchangedCheck(channel, [update(channelKeys.channel(6)), update(userKeys.user(5))])).toEqual([
    check,
  ]);
  expect(
    unchangedCheck(channel, [{ kind: 'put', item: { ...organizationKeys.organization(), n: 1 } }]),
  ).toEqual([check]);
  // Another kind of item with the same end of its key.
  expect(unchangedCheck(channel, [update({ pk: 'OTHER', sk: channelKeys.channel(5).sk })])).toEqual([check]);
  expect(unchangedCheck(channel, [update(channelKeys.channel(6)), update(channelKeys.channel(5))])).toEqual(
    [],
  );
});

test('An order of folders names each once', () => {
  const folders = [1, 2, 3].map((folderId) => ({ folderId }) as Folder);
  const reorder = (order: number[]) => () => folderOrderChange({ folders, revision: 0 }, order);
  expect(reorder([3, 1, 2])()).toBeDefined();
  expect(reorder([1, 2, 3])()).toBeUndefined();
  for (const order of [[1, 2], [1, 2, 2], [1, 2, 3, 3], [1, 2, 4], [1, 2, 3, 4], []])
    expect(reorder(order), `${order}`).toThrow('Invalid order mapping.');
});
