import { createChannel } from '#shared/domain/channels/create.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { subscribeAt } from '#shared/domain/subscriptions/subscription.ts';
import { memberWrites, subscriptionWrite } from '#shared/domain/subscriptions/writes.ts';
import { createGroup } from '#shared/domain/user-groups/create.ts';
import { groupMemberWrites, nameWrite } from '#shared/domain/user-groups/writes.ts';
import { createAccount } from '#shared/domain/users/create.ts';
import type { Services } from '#shared/runtime/services.ts';
import { renderText } from '#shared/store/messages/references.ts';
import { getUser } from '#shared/store/users/users.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { groupKeys } from '#shared/table/keys/groups.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import { writeInBatches } from './bulk-people.ts';

export interface Size {
  people: number;
  channels: number;
  /** The first channels belong to the member, with the first of the people. */
  subscribed: number;
  subscribers: number;
  groups: number;
  members: number;
}

const FIRST_ID = 100_000;

const sequence = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/**
 * Fills an organization, as its people could by many requests: writes to the table directly. @returns the ids of the
 * created things
 */
export async function fillOrganization(
  services: Services,
  memberId: number,
  size: Size,
): Promise<{ userIds: number[]; channelIds: number[]; groupIds: number[] }> {
  const userIds = sequence(size.people).map((n) => FIRST_ID + n);
  const channelIds = sequence(size.channels).map((n) => FIRST_ID + n);
  const groupIds = sequence(size.groups).map((n) => FIRST_ID + n);
  const describing = await describe(services, memberId);
  await writeInBatches(services, [
    ...userIds.flatMap(accountWrites),
    ...channelIds.flatMap((channelId, n) =>
      channelWrites(channelId, {
        ...describing,
        creatorId: memberId,
        subscriberIds: n < size.subscribed ? [memberId, ...userIds.slice(0, size.subscribers)] : [],
      }),
    ),
    ...groupIds.flatMap((groupId) => groupWrites(groupId, memberId, userIds.slice(0, size.members))),
  ]);
  return { userIds, channelIds, groupIds };
}

function accountWrites(userId: number): Write[] {
  const { keyVersion: _version, ...user } = createAccount({
    userId,
    email: `${'someone.with.a.long.address'}${userId}@example.com`,
    fullName: `${'Ältere Person mit einem längeren Namen '.repeat(2)}${userId}`,
    nowSeconds: 0,
  });
  return [{ kind: 'put', item: { ...userKeys.user(userId), ...user } }];
}

/** A description of the greatest length, with its rendering. */
async function describe(services: Services, userId: number) {
  const description = '**"<wide>"** '.repeat(100).slice(0, 1024).trim();
  const author = await getUser(services.table, userId);
  return { description, descriptionHtml: await renderText(services.table, author, description) };
}

interface Described {
  description: string;
  descriptionHtml: string;
  creatorId: number;
  subscriberIds: number[];
}

function channelWrites(channelId: number, { subscriberIds, ...described }: Described): Write[] {
  const name = `room of a long name that describes its purpose ${channelId}`;
  const channel = createChannel(
    { channelId, name, ...described, subscriberCount: subscriberIds.length, nowSeconds: 0 },
    {
      isPrivate: false,
      isWebPublic: false,
      isDefault: false,
      isHistoryPublic: undefined,
      messageRetentionDays: undefined,
      topicsPolicy: 'inherit',
      folderId: null,
      groups: {},
    },
  );
  return [
    { kind: 'put', item: { ...channelKeys.channel(channelId), ...channel } },
    { kind: 'put', item: { ...channelKeys.name(toCanonical(name)), channelId } },
    ...memberWrites(channelId, subscriberIds, 'add'),
    ...subscriberIds.slice(0, 1).map((userId) => {
      const subscription = subscribeAt(undefined, { userId, channelId }, '#76ce90', 0);
      return subscriptionWrite(subscription, undefined);
    }),
  ];
}

function groupWrites(groupId: number, creatorId: number, memberIds: number[]): Write[] {
  const group = createGroup({
    groupId,
    name: `group ${groupId}`,
    description: 'x'.repeat(1024),
    creatorId,
    nowSeconds: 0,
    subgroupIds: [],
    settings: {},
  });
  return [
    { kind: 'put', item: { ...groupKeys.group(groupId), ...group } },
    nameWrite(group),
    ...groupMemberWrites(groupId, { add: memberIds, delete: [] }),
  ];
}
