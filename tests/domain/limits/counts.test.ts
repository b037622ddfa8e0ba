import { describe, test } from 'vitest';
import { addAlertWords } from '#shared/domain/alert-words/alert-words.ts';
import { requireRoomFor } from '#shared/domain/channels/new-channel-limits.ts';
import { requireFewDrafts } from '#shared/domain/drafts/changes.ts';
import { requireExportable } from '#shared/domain/exports/changes.ts';
import { listAddresses } from '#shared/domain/invitations/addresses.ts';
import { checkRecipientCount } from '#shared/domain/messages/destination.ts';
import { parseNarrow } from '#shared/domain/narrow/parse.ts';
import { addDeviceChange } from '#shared/domain/push/changes.ts';
import { newDevice } from '#shared/domain/push/device.ts';
import { takeRoomWrite } from '#shared/domain/room.ts';
import { requireFeasible } from '#shared/domain/subscriptions/limits.ts';
import {
  requireFeasible as requireFeasibleMembers,
  requireFewSubgroups,
} from '#shared/domain/user-groups/limits.ts';
import { muteChange } from '#shared/domain/users/muted-users.ts';
import { edge, expectEdge, idsFrom } from './edge.ts';
import { account, exportOf, NOW_MS, requestAfter, WEEK_MS } from './things.ts';

const search = (count: number) => ({
  operator: 'search',
  operand: idsFrom(0, count)
    .map((id) => `word${id}`)
    .join(' '),
});

const edges = [
  edge('recipients of a direct message', 500, 'Too many recipients (maximum 500).', (count) =>
    checkRecipientCount(idsFrom(1, count)),
  ),
  edge(
    'channels that one request creates',
    50,
    'Too many new channels in one request (maximum 50).',
    (count) => requireRoomFor(count, { existing: 0, limit: 1_000 }),
  ),
  edge(
    'channels of an organization with room for ten more',
    10,
    'Too many channels: the organization may have 100.',
    (count) => requireRoomFor(count, { existing: 90, limit: 100 }),
  ),
  edge(
    'channels that one request subscribes to',
    500,
    'Too many channels in one request (maximum 500).',
    (count) => requireFeasible(count),
  ),
  edge(
    'people that one request subscribes to a hundred channels',
    100,
    'Too many subscriptions in one request (maximum 10000).',
    (count) => requireFeasible(100, [...idsFrom(1, count), ...idsFrom(1, count)]),
  ),
  edge(
    'users that one request adds to a group',
    10_000,
    'Too many users in one request (maximum 10000).',
    (count) => requireFeasibleMembers({ add: idsFrom(0, count), delete: [] }, []),
  ),
  edge(
    'users that one request removes from a group',
    10_000,
    'Too many users in one request (maximum 10000).',
    (count) => requireFeasibleMembers({ add: [], delete: idsFrom(0, count) }, []),
  ),
  edge(
    'users far from each other that one request adds to a group',
    40,
    'These users are too many for one request; name them in several.',
    (count) => requireFeasibleMembers({ add: idsFrom(0, count).map((id) => 256 * id), delete: [] }, []),
  ),
  edge(
    'users far from each other that one request removes from a group',
    40,
    'These users are too many for one request; name them in several.',
    (count) => requireFeasibleMembers({ add: [], delete: idsFrom(0, count).map((id) => 256 * id) }, []),
  ),
  edge('subgroups that one request names', 500, 'Too many subgroups in one request (maximum 500).', (count) =>
    requireFeasibleMembers({ add: [], delete: [] }, idsFrom(1, count)),
  ),
  edge('subgroups of a group', 500, 'A user group cannot have more than 500 subgroups.', (count) =>
    requireFewSubgroups(idsFrom(1, count)),
  ),
  edge('alert words of a user', 1_000, 'You cannot have more than 1000 alert words', (count) =>
    addAlertWords(account, { words: [], past: [], revision: 0 }, idsFrom(1, count).map(String)),
  ),
  edge('users that a user mutes', 1_000, 'You cannot mute more than 1000 users', (count) => {
    const mutedUsers = idsFrom(1, count - 1).map((id) => ({ id, timestamp: 0 }));
    return muteChange({ userId: 10, revision: 1, mutedUsers }, 5_000, 0);
  }),
  edge('devices of a user', 50, 'You cannot have more than 50 devices', (count) => {
    const devices = idsFrom(1, count - 1).map(newDevice);
    return addDeviceChange({ userId: 10, revision: 1, devices }, 5_000);
  }),
  edge(
    'addresses that one request invites',
    100,
    'Too many email addresses in one request (maximum 100).',
    (count) =>
      listAddresses(
        idsFrom(1, count)
          .map((id) => `p${id}@example.com`)
          .join(','),
      ),
  ),
  edge(
    'people in a term of a narrow',
    500,
    'Invalid narrow[0]: Value error, operand has too many users (limit: 500)',
    (count) => parseNarrow([{ operator: 'dm', operand: idsFrom(1, count) }]),
  ),
  edge(
    'searched words of a narrow, in all its terms together',
    100,
    'narrow has too many search words (limit: 100)',
    (count) => parseNarrow([search(40), search(count - 40)]),
  ),
  edge('drafts that one request creates', 80, 'Too many drafts at once (maximum 80).', (count) =>
    requireFewDrafts(count),
  ),
  edge('exports within a week', 5, 'Exceeded rate limit.', (count) =>
    requestAfter(idsFrom(1, count - 1).map((id) => exportOf(id, NOW_MS - WEEK_MS + 1))),
  ),
  edge(
    'users of an organization that is exported',
    25_000,
    'This organization is too large to be exported.',
    (users) => requireExportable({ users, positions: 0 }),
  ),
  edge(
    'positions in the log of an organization that is exported',
    10_000_000,
    'This organization is too large to be exported.',
    (positions) => requireExportable({ users: 1, positions }),
  ),
  edge('things of a kind that are counted for the first time', 7, 'No more of these.', (count) =>
    takeRoomWrite({ key: { pk: '', sk: '' }, count: count - 1, isKept: false }, 7, 'No more of these.'),
  ),
  edge('things of a kind that are counted', 7, 'No more of these.', (count) =>
    takeRoomWrite({ key: { pk: '', sk: '' }, count: count - 1, isKept: true }, 7, 'No more of these.'),
  ),
];

describe('The limit is the largest allowed number', () => {
  test.each(edges)('For $what: $most succeed, and one more is refused', expectEdge);
});
