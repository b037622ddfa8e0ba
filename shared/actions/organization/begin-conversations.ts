import { subscribeUsers } from '#shared/actions/channels/subscribing.ts';
import { composeBotDirect, composeBotPost } from '#shared/actions/messages/bot-message.ts';
import type { Change } from '#shared/domain/change.ts';
import { mailDomainOf } from '#shared/domain/organization/organization.ts';
import { userDefaultsChange } from '#shared/domain/organization/user-defaults.ts';
import { ownSettingsChange } from '#shared/domain/settings/own-change.ts';
import { commit, withFreshState } from '#shared/log/commit.ts';
import { commitMessage } from '#shared/log/commit-message.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getChosenSettings } from '#shared/store/users/user-settings.ts';
import { getAccount, getUser } from '#shared/store/users/users.ts';

const CHANNEL = 'general';
const DESCRIPTION = 'For everyone. Start a topic for each conversation.';

/** Topics that show by doing, with the messages of the welcome bot in them. */
const TOPICS: [topic: string, texts: string[]][] = [
  [
    'How topics work',
    [
      'Every message has a topic, like the subject of an email. Answer here and you stay in this topic; press **C** to start another.',
      'When a topic is done, mark it as resolved. It stays searchable.',
    ],
  ],
  [
    'Try it: formatting',
    [
      'Try \\*\\*bold\\*\\*, \\`code\\`, a list with “- ”, or paste a picture. The **Aa** button shows the rest.',
      '```python\nprint("Code keeps its colors.")\n```',
    ],
  ],
];

const greetings = (name: string): string[] => [
  `👋 Welcome to ${name}! Conversations here happen in **channels**, and each one has its own **topic**, so you can follow what matters and skip the rest.`,
  `Your first channel is #**${CHANNEL}**; everyone who joins lands there. Open #**${CHANNEL}>${TOPICS[0]?.[0]}** and answer: that is a conversation.`,
  'You can also message anyone directly, as here. Only you read this conversation, so it is a good place to try things.',
];

/**
 * Gives a new organization its first conversations: a default channel with topics that explain themselves, and the welcome
 * bot's messages to the owner. In the web client Enter sends from the start, for the owner and for new users.
 */
export async function beginConversations(services: Services, ownerId: number): Promise<void> {
  const { table } = services;
  const owner = await getUser(table, ownerId);
  const { channelId } = await subscribeUsers({
    services,
    caller: owner,
    requests: [{ name: CHANNEL, description: DESCRIPTION, color: undefined }],
    settings: {
      isPrivate: false,
      isWebPublic: false,
      isDefault: true,
      isHistoryPublic: undefined,
      messageRetentionDays: undefined,
      topicsPolicy: 'inherit' as const,
      folderId: null,
      groups: {},
    },
    users: [owner],
    options: { isFatal: true, isCreation: true, announces: false },
    answer: ({ channelIds: [id = 0] }) => ({ channelId: id }),
  });
  const { welcomeBotId, name } = await getOrganization(table);
  for (const [topic, texts] of TOPICS)
    for (const text of texts)
      await post(services, await composeBotPost(services, welcomeBotId, { channelId, topic }, text));
  for (const text of greetings(name))
    await post(services, await composeBotDirect(services, welcomeBotId, ownerId, text));
  await sendByEnter(services, ownerId);
}

async function sendByEnter(services: Services, ownerId: number): Promise<void> {
  const { table, clock } = services;
  const settings = { enter_sends: true };
  await withFreshState(services, async () => {
    const organization = await getOrganization(table);
    const [account, chosen] = await Promise.all([
      getAccount(table, ownerId),
      getChosenSettings(table, ownerId),
    ]);
    const wishes = { settings, mailDomain: mailDomainOf(organization), nowMs: clock.nowMs() };
    for (const change of [
      userDefaultsChange(organization, settings),
      ownSettingsChange(account, chosen, wishes),
    ])
      if (change) await commit(services, change);
  });
}

async function post(services: Services, message: Change['message']): Promise<void> {
  if (message) await commitMessage(services, { message });
}
