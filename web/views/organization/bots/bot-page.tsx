import { copyText } from '#web/net/message-actions.ts';
import { BOT_KINDS, editBot, OUTGOING, setBotPicture, WEBHOOK } from '#web/net/organization/bots.ts';
import { deactivateBot, ROLES, reactivate, setRole } from '#web/net/organization/roster.ts';
import { channels, nameOfPerson, people, showNotice, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { Empty } from '#web/parts/empty.tsx';
import { Ending } from '#web/parts/ending.tsx';
import { Choice, TextSetting, Toggle } from '#web/parts/form.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { PictureSetting } from '#web/parts/picture-setting.tsx';
import { Group } from '#web/parts/sections.tsx';
import type { Bot, Person } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';
import { WebhookOfBot } from '#web/views/organization/integrations/bot-webhook.tsx';
import { BotKey } from './bot-key.tsx';
import { ServiceOfBot } from './bot-service.tsx';

/** One bot: its properties, its key, and the forms of its owner and administrators. */
export function BotPage({ userId }: { userId: number }) {
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const record = useServer(
    ({ realm_bots }) => realm_bots.find(({ user_id }) => user_id === userId),
    [userId],
  );
  const bot = people.value.get(userId);
  if (!bot?.is_bot)
    return (
      <Empty icon="bot" title={t('organization.thereIsNoSuchBot')}>
        <a class="button" href="#organization/bots">
          {t('organization.seeAllBots')}
        </a>
      </Empty>
    );
  return (
    <>
      <Identity bot={bot} mayChange={record !== undefined} />
      {record && bot.is_active && <BotKey key={userId} bot={bot} />}
      {record && bot.is_active && bot.bot_type === WEBHOOK && (
        <WebhookOfBot key={userId} bot={bot} record={record} />
      )}
      {bot.bot_type === OUTGOING &&
        record?.services.map((service) => (
          <ServiceOfBot key={service.token} record={record} service={service} />
        ))}
      {record && <Defaults record={record} />}
      {(bot.is_active ? record : isAdmin) && (
        <Ending
          hasEnded={!bot.is_active}
          note={t('organization.aDeactivatedBotCanNeither')}
          end={{
            title: t('common.deactivate'),
            label: t('organization.deactivateTheBot'),
            run: () => deactivateBot(bot),
          }}
          bringBack={{
            title: t('organization.thisBotIsDeactivated'),
            label: t('organization.reactivateTheBot'),
            run: async () => {
              if (await reactivate(bot)) showNotice(t('organization.botWorksAgain', { bot: bot.full_name }));
            },
          }}
        />
      )}
    </>
  );
}

function Identity({ bot, mayChange }: { bot: Person; mayChange: boolean }) {
  const { user_id: id, full_name: name, email } = bot;
  const isOwner = useServer(({ is_owner }) => is_owner);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const kind = BOT_KINDS.find(([type]) => type === bot.bot_type)?.[1] ?? t('organization.aBot');
  return (
    <Group
      title={t('organization.whatItIs')}
      note={mayChange ? `${kind}.` : t('organization.kindItsOwnerAndAdministrators', { kind })}
    >
      <PictureSetting
        label={t('common.picture')}
        isFixed={!mayChange}
        save={(picture) => setBotPicture(id, picture)}
      >
        <Avatar userId={id} size={64} />
      </PictureSetting>
      <div class="copy-line">
        <label class="field">
          {t('organization.address')}
          <input class="input" readOnly value={email} />
        </label>
        <button
          type="button"
          class="button"
          onClick={() => void copyText(email, t('organization.addressCopied'))}
        >
          <Icon name="copy" /> {t('common.copy')}
        </button>
      </div>
      <TextSetting
        label={t('common.name')}
        value={name}
        isFixed={!mayChange}
        save={(full_name) => editBot(id, { full_name })}
      />
      <Owner bot={bot} isFixed={!mayChange} />
      <Choice
        label={t('organization.role')}
        hint={isAdmin ? t('organization.whatItMayDoIn') : t('organization.administratorsCanChangeThis')}
        value={bot.role}
        choices={ROLES.filter(([role]) => isOwner || role !== 100 || bot.role === role)}
        isFixed={!isAdmin}
        save={(role) => setRole(bot, role)}
      />
    </Group>
  );
}

function Owner({ bot, isFixed }: { bot: Person; isFixed: boolean }) {
  const users = useServer(({ realm_users }) => realm_users);
  const ownerId = bot.bot_owner_id ?? 0;
  const listed = users
    .filter(({ is_bot: isBot, user_id: id }) => !isBot || id === ownerId)
    .sort((a, b) => a.full_name.localeCompare(b.full_name))
    .map(({ user_id: id, full_name: name }) => [id, name] as const);
  const isListed = listed.some(([id]) => id === ownerId);
  return (
    <Choice
      label={t('common.owner')}
      hint={t('organization.theOwnerCanChangeThe')}
      value={ownerId}
      choices={
        isListed ? listed : [[ownerId, ownerId ? nameOfPerson(ownerId) : t('common.noOne')], ...listed]
      }
      isFixed={isFixed}
      save={(bot_owner_id) => editBot(bot.user_id, { bot_owner_id })}
    />
  );
}

/** The channels that the bot's requests mean where they name none. */
function Defaults({ record }: { record: Bot }) {
  const { user_id: id } = record;
  const names = [...channels.value.values()]
    .filter(({ is_archived: isArchived }) => !isArchived)
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b));
  const choices = (none: string, chosen: string | null) => [
    ['', none] as const,
    ...[...new Set(chosen === null ? names : [chosen, ...names])].map((name) => [name, `#${name}`] as const),
  ];
  return (
    <Group title={t('organization.whereItReadsAndWrites')} note={t('organization.forRequestsThatNameNo')}>
      <div class="pair">
        <Choice
          label={t('organization.sendsTo')}
          value={record.default_sending_stream ?? ''}
          choices={choices(t('organization.noChannel'), record.default_sending_stream)}
          save={(name) => editBot(id, { default_sending_stream: name })}
        />
        <Choice
          label={t('organization.listensTo')}
          value={record.default_events_register_stream ?? ''}
          choices={choices(t('organization.everythingItMayRead'), record.default_events_register_stream)}
          save={(name) => editBot(id, { default_events_register_stream: name })}
        />
      </div>
      <Toggle
        label={t('organization.listensToAllPublicChannels')}
        value={record.default_all_public_streams}
        save={(isOn) => editBot(id, { default_all_public_streams: isOn })}
      />
    </Group>
  );
}
