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
import { type Edge, expectEdge, idsFrom } from './edge.ts';
import { account, exportOf, NOW_MS, requestAfter, WEEK_MS } from './things.ts';

const search = (count: number) => ({
  operator: 'search',
  operand: idsFrom(0, count)
    .map((id) => `word${id}`)
    .join(' '),
});

const edges: Edge[] = [
  {
    what: 'recipients of a direct message',
    most: 500,
    refusal: 'Too many recipients (maximum 500).',
    attempt: (count) => checkRecipientCount(idsFrom(1, count)),
  },
  {
    what: 'channels that one request creates',
    most: 50,
    refusal: 'Too many new channels in one request (maximum 50).',
    attempt: (count) => requireRoomFor(count, { existing: 0, limit: 1_000 }),
  },
  {
    what: 'channels of an organization with room for ten more',
    most: 10,
    refusal: 'Too many channels: the organization may have 100.',
    attempt: (count) => requireRoomFor(count, { existing: 90, limit: 100 }),
  },
  {
    what: 'channels that one request subscribes to',
    most: 500,
    refusal: 'Too many channels in one request (maximum 500).',
    attempt: (count) => requireFeasible(count),
  },
  {
    what: 'people that one request subscribes to a hundred channels',
    most: 100,
    refusal: 'Too many subscriptions in one request (maximum 10000).',
    attempt: (count) => requireFeasible(100, [...idsFrom(1, count), ...idsFrom(1, count)]),
  },
  {
    what: 'users that one request adds to a group',
    most: 10_000,
    refusal: 'Too many users in one request (maximum 10000).',
    attempt: (count) => requireFeasibleMembers({ add: idsFrom(0, count), delete: [] }, []),
  },
  {
    what: 'users that one request removes from a group',
    most: 10_000,
    refusal: 'Too many users in one request (maximum 10000).',
    attempt: (count) => requireFeasibleMembers({ add: [], delete: idsFrom(0, count) }, []),
  },
  {
    what: 'users far from each other that one request adds to a group',
    most: 40,
    refusal: 'These users are too many for one request; name them in several.',
    attempt: (count) =>
      requireFeasibleMembers({ add: idsFrom(0, count).map((id) => 256 * id), delete: [] }, []),
  },
  {
    what: 'users far from each other that one request removes from a group',
    most: 40,
    refusal: 'These users are too many for one request; name them in several.',
    attempt: (count) =>
      requireFeasibleMembers({ add: [], delete: idsFrom(0, count).map((id) => 256 * id) }, []),
  },
  {
    what: 'subgroups that one request names',
    most: 500,
    refusal: 'Too many subgroups in one request (maximum 500).',
    attempt: (count) => requireFeasibleMembers({ add: [], delete: [] }, idsFrom(1, count)),
  },
  {
    what: 'subgroups of a group',
    most: 500,
    refusal: 'A user group cannot have more than 500 subgroups.',
    attempt: (count) => requireFewSubgroups(idsFrom(1, count)),
  },
  {
    what: 'alert words of a user',
    most: 1_000,
    refusal: 'You cannot have more than 1000 alert words',
    attempt: (count) =>
      addAlertWords(account, { words: [], past: [], revision: 0 }, idsFrom(1, count).map(String)),
  },
  {
    what: 'users that a user mutes',
    most: 1_000,
    refusal: 'You cannot mute more than 1000 users',
    attempt: (count) => {
      const mutedUsers = idsFrom(1, count - 1).map((id) => ({ id, timestamp: 0 }));
      return muteChange({ userId: 10, revision: 1, mutedUsers }, 5_000, 0);
    },
  },
  {
    what: 'devices of a user',
    most: 50,
    refusal: 'You cannot have more than 50 devices',
    attempt: (count) => {
      const devices = idsFrom(1, count - 1).map(newDevice);
      return addDeviceChange({ userId: 10, revision: 1, devices }, 5_000);
    },
  },
  {
    what: 'addresses that one request invites',
    most: 100,
    refusal: 'Too many email addresses in one request (maximum 100).',
    attempt: (count) =>
      listAddresses(
        idsFrom(1, count)
          .map((id) => `p${id}@example.com`)
          .join(','),
      ),
  },
  {
    what: 'people in a term of a narrow',
    most: 500,
    refusal: 'Invalid narrow[0]: Value error, operand has too many users (limit: 500)',
    attempt: (count) => parseNarrow([{ operator: 'dm', operand: idsFrom(1, count) }]),
  },
  {
    what: 'searched words of a narrow, in all its terms together',
    most: 100,
    refusal: 'narrow has too many search words (limit: 100)',
    attempt: (count) => parseNarrow([search(40), search(count - 40)]),
  },
  {
    what: 'drafts that one request creates',
    most: 80,
    refusal: 'Too many drafts at once (maximum 80).',
    attempt: (count) => requireFewDrafts(count),
  },
  {
    what: 'exports within a week',
    most: 5,
    refusal: 'Exceeded rate limit.',
    attempt: (count) => requestAfter(idsFrom(1, count - 1).map((id) => exportOf(id, NOW_MS - WEEK_MS + 1))),
  },
  {
    what: 'users of an organization that is exported',
    most: 25_000,
    refusal: 'This organization is too large to be exported.',
    attempt: (users) => requireExportable({ users, positions: 0 }),
  },
  {
    what: 'positions in the log of an organization that is exported',
    most: 10_000_000,
    refusal: 'This organization is too large to be exported.',
    attempt: (positions) => requireExportable({ users: 1, positions }),
  },
  {
    what: 'things of a kind that are counted for the first time',
    most: 7,
    refusal: 'No more of these.',
    attempt: (count) =>
      takeRoomWrite({ key: { pk: '', sk: '' }, count: count - 1, isKept: false }, 7, 'No more of these.'),
  },
  {
    what: 'things of a kind that are counted',
    most: 7,
    refusal: 'No more of these.',
    attempt: (count) =>
      takeRoomWrite({ key: { pk: '', sk: '' }, count: count - 1, isKept: true }, 7, 'No more of these.'),
  },
];

describe('The limit is the largest allowed number', () => {
  test.each(edges)('For $what: $most succeed, and one more is refused', expectEdge);
});
