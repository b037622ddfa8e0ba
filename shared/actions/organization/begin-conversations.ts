import { subscribeUsers } from '#shared/actions/channels/subscribing.ts';
import { composeBotDirect, composeBotPost } from '#shared/actions/messages/bot-message.ts';
import { sayIn } from '#shared/actions/texts/say-in.ts';
import type { Change } from '#shared/domain/change.ts';
import { editOrganization } from '#shared/domain/organization/edit.ts';
import { mailDomainOf } from '#shared/domain/organization/organization.ts';
import { userDefaultsChange } from '#shared/domain/organization/user-defaults.ts';
import { ownSettingsChange } from '#shared/domain/settings/own-change.ts';
import type { Say } from '#shared/domain/texts/texts.ts';
import type { User } from '#shared/domain/users/user.ts';
import { commit, withFreshState } from '#shared/log/commit.ts';
import { commitMessage } from '#shared/log/commit-message.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getChosenSettings } from '#shared/store/users/user-settings.ts';
import { getAccount, getUser } from '#shared/store/users/users.ts';

/** Topics that show by doing, with the messages of the welcome bot in them. */
const topicsOf = (say: Say): [topic: string, texts: string[]][] => [
  [say('begin.howTopicsWork'), [say('begin.everyMessageHasATopic'), say('begin.resolveTopics')]],
  [
    say('begin.tryFormatting'),
    [say('begin.formatting'), `\`\`\`python\nprint("${say('begin.codeKeepsItsColors')}")\n\`\`\``],
  ],
];

const greetings = (organization: string, say: Say): string[] => {
  const channel = `#**${say('begin.general')}**`;
  const topic = `#**${say('begin.general')}>${say('begin.howTopicsWork')}**`;
  return [
    say('begin.welcome', { organization }),
    say('begin.firstChannel', { channel, topic }),
    say('begin.directMessages'),
  ];
};

/**
 * Gives a new organization its first conversations, in its default language: a default channel with topics that explain
 * themselves, one for announcements, and the welcome bot's messages to the owner. In the web client Enter sends from the
 * start, for the owner and for new users.
 */
export async function beginConversations(services: Services, ownerId: number): Promise<void> {
  const { table } = services;
  const owner = await getUser(table, ownerId);
  const { welcomeBotId, notificationBotId, name, settings } = await getOrganization(table);
  const say = await sayIn(settings.default_language);
  const general = await createDefault(services, owner, say('begin.general'), say('begin.generalIsFor'));
  const announcements = await createDefault(
    services,
    owner,
    say('begin.announcements'),
    say('begin.announcementsAreFor'),
  );
  for (const [topic, texts] of topicsOf(say))
    for (const text of texts)
      await post(services, await composeBotPost(services, welcomeBotId, { channelId: general, topic }, text));
  const notices = { channelId: announcements, topic: say('updates.topic') };
  await post(services, await composeBotPost(services, notificationBotId, notices, say('updates.welcome')));
  for (const text of greetings(name, say))
    await post(services, await composeBotDirect(services, welcomeBotId, ownerId, text));
  await announceIn(services, announcements);
  await sendByEnter(services, ownerId);
}

/** Creates a channel that everyone who joins is subscribed to, and returns its id. */
async function createDefault(
  services: Services,
  owner: User,
  name: string,
  description: string,
): Promise<number> {
  const { channelId } = await subscribeUsers({
    services,
    caller: owner,
    requests: [{ name, description, color: undefined }],
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
  return channelId;
}

/** The channel for announcements of new channels and of updates of the service. */
async function announceIn(services: Services, channelId: number): Promise<void> {
  const settings = {
    new_stream_announcements_stream_id: channelId,
    zulip_update_announcements_stream_id: channelId,
  };
  await withFreshState(services, async () => {
    const organization = await getOrganization(services.table);
    const { change } = editOrganization(organization, { settings, groups: {} }, '');
    if (change) await commit(services, change);
  });
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
    const { default_language } = organization.settings;
    const wishes = {
      settings: { ...settings, default_language },
      mailDomain: mailDomainOf(organization),
      nowMs: clock.nowMs(),
    };
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
