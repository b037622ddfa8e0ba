import type { Change } from '#shared/domain/change.ts';
import { peopleTurnWrite } from '#shared/domain/channels/who-knows.ts';
import { membersChanged } from '#shared/domain/groups/events.ts';
import { systemGroups } from '#shared/domain/groups/group-setting.ts';
import { systemGroupsOf } from '#shared/domain/groups/system-groups.ts';
import { asOf } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findStandingKnowledge } from '#shared/store/knowledge.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { listUsers } from '#shared/store/users.ts';
import { readWhoKnows } from '#shared/store/who-knows.ts';
import { keys } from '#shared/table/keys.ts';
import { withFreshState } from './commit.ts';
import { commitWithEvents } from './commit-events.ts';

const HOUR_SECONDS = 3600;

/**
 * Tells everybody which members became full members by the mere passing of time, once an hour. What they may do does
 * not wait for it. Costs nothing but the organization where nobody has to wait.
 */
export const announceFullMembers = (services: Services): Promise<void> =>
  withFreshState(services, () => announce(services));

async function announce(services: Services): Promise<void> {
  const { table, clock } = services;
  const { settings, createdAtSeconds } = await getOrganization(table);
  const waitingPeriodDays = settings.waiting_period_threshold;
  if (waitingPeriodDays === 0) return;
  const key = keys.fullMembers();
  const whoKnows = await readWhoKnows(table);
  const announced = await table.find(key);
  const nowSeconds = toSeconds(clock.nowMs());
  const thenSeconds = Number(announced?.throughSeconds ?? createdAtSeconds);
  if (nowSeconds - thenSeconds < HOUR_SECONDS) return;
  const isFull = (user: Parameters<typeof systemGroupsOf>[0]): boolean =>
    systemGroupsOf(user, waitingPeriodDays).includes(systemGroups.fullMembers);
  const users = (await listUsers(table))
    .map((user) => asOf(user, nowSeconds))
    .filter((user) => isFull(user) && !isFull(asOf(user, thenSeconds)));
  const shown = await findStandingKnowledge(
    table,
    users.map((user) => ({ user, wasFull: false, isFull: true })),
  );
  const change: Change = {
    writes: [
      {
        kind: 'put',
        item: { ...key, throughSeconds: nowSeconds },
        condition: announced ? { equals: { throughSeconds: thenSeconds } } : { exists: false },
      },
      ...(users.length > 0 ? [peopleTurnWrite(whoKnows)] : []),
    ],
    events: membersChanged(
      { groupId: systemGroups.fullMembers, isDeactivated: false },
      'add_members',
      users.map(({ userId }) => userId),
    ),
  };
  await commitWithEvents(services, change, shown);
}
