import type { Allowance } from '#shared/domain/allowance.ts';
import { groupSettingsOf, mayKnow } from '#shared/domain/channels/permissions.ts';
import { byLastEdit, type Draft } from '#shared/domain/drafts/draft.ts';
import { checkGivenDraft, type DraftAddresses, type GivenDraft } from '#shared/domain/drafts/read.ts';
import { BadRequest, NotFound } from '#shared/domain/errors.ts';
import type { User } from '#shared/domain/users/user.ts';
import { draftKeys, draftPartitions } from '#shared/table/keys/drafts.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';
import { type ChannelViews, loadChannelViews } from './channels/channel-views.ts';
import { getAllowance, toAllowance } from './limits/allowances.ts';
import { learnMemberships } from './user-groups/groups.ts';
import { getUserSettings } from './users/user-settings.ts';
import { listUsersAmong } from './users/users.ts';
import { listSeen } from './visibility/visible-users.ts';

/** @throws BadRequest for a user who has turned synchronization of drafts off. One read. */
export async function requireDraftsKept(table: Table, user: User): Promise<void> {
  const { enable_drafts_synchronization: isKept } = await getUserSettings(table, user);
  if (!isKept) throw new BadRequest('User has disabled synchronizing drafts.');
}

/** A draft of the user, and the user's quota. @throws NotFound also for another user's draft */
export async function getDraft(
  table: Table,
  userId: number,
  draftId: number,
): Promise<{ draft: Draft; allowance: Allowance }> {
  const [item, allowance] = await Promise.all([
    table.find(draftKeys.draft(userId, draftId)),
    getAllowance(table, draftKeys.draftAllowance(userId)),
  ]);
  const draft = item && toDraft(item);
  if (draft?.generation !== allowance.generation) throw new NotFound('Draft does not exist');
  return { draft, allowance };
}

/** The user's drafts, earliest edit first. One query. */
export async function listDrafts(table: Table, userId: number): Promise<Draft[]> {
  const { drafts, allowance } = await loadDrafts(table, userId);
  return drafts.filter(({ generation }) => generation === allowance.generation).sort(byLastEdit);
}

/** Deleted drafts that are still in the table. One query. */
export async function listForgottenDrafts(table: Table, userId: number): Promise<Draft[]> {
  const { drafts, allowance } = await loadDrafts(table, userId);
  return drafts.filter(({ generation }) => generation < allowance.generation);
}

async function loadDrafts(table: Table, userId: number): Promise<{ drafts: Draft[]; allowance: Allowance }> {
  const items = await table.list({ partition: draftPartitions.draftsOf(userId), consistent: true });
  const isCount = ({ sk }: Item): boolean => sk === draftKeys.draftAllowance(userId).sk;
  return {
    drafts: items.filter((item) => !isCount(item)).map(toDraft),
    allowance: toAllowance(items.find(isCount)),
  };
}

function toDraft({ pk: _pk, sk: _sk, ...draft }: Item): Draft {
  return recordOf<Draft>(draft);
}

/** The existing users and channels named by the drafts, as visible to the author. @throws BadRequest */
export async function loadDraftAddresses(
  table: Table,
  author: User,
  input: GivenDraft[],
): Promise<DraftAddresses> {
  for (const draft of input) checkGivenDraft(draft);
  if (author.onlyChannels && input.some(({ type }) => type === 'private'))
    throw new BadRequest('This API token writes only to the channels that it is limited to.');
  const [userIds, channelIds] = await Promise.all([
    listKnownUsers(table, author, named(input, 'private')),
    listKnownChannels(table, author, named(input, 'stream')),
  ]);
  return { authorId: author.userId, userIds: new Set(userIds), channelIds: new Set(channelIds) };
}

const named = (input: GivenDraft[], kind: GivenDraft['type']): number[] => [
  ...new Set(input.flatMap(({ type, to }) => (type === kind ? to : []))),
];

async function listKnownUsers(table: Table, author: User, userIds: number[]): Promise<number[]> {
  const users = await listUsersAmong(table, userIds);
  return (await listSeen(table, author, users)).map(({ userId }) => userId);
}

async function listKnownChannels(table: Table, user: User, channelIds: number[]): Promise<number[]> {
  const views: ChannelViews = new Map();
  await loadChannelViews(table, user.userId, views, channelIds);
  const found = [...views.values()];
  await learnMemberships(
    table,
    user,
    found.flatMap(({ channel }) => groupSettingsOf(channel)),
  );
  return found.filter((view) => mayKnow(user, view)).map(({ channel }) => channel.channelId);
}
