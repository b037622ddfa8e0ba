import { useState } from 'preact/hooks';
import {
  addSubscribers,
  archive,
  editChannel,
  PRIVACIES,
  privacyOf,
  removeSubscriber,
  setOwnProperty,
  setPrivacy,
  unsubscribe,
} from '#web/net/channel-actions.ts';
import { subscribe } from '#web/net/message-actions.ts';
import { mayJoin } from '#web/net/rights.ts';
import { linkTo } from '#web/net/router.ts';
import { nameOfPerson, ownChannels, showNotice, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { Ending } from '#web/parts/ending.tsx';
import { Choice, Form, TextSetting, Toggle } from '#web/parts/form.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import { PeopleChoice } from '#web/parts/many-choice.tsx';
import { Group } from '#web/parts/sections.tsx';
import { channelNarrow } from '#web/state/narrow.ts';
import { mayAddSubscribers, mayAdminister, mayRemoveSubscribers } from '#web/state/rights.ts';
import type { Channel, Subscription } from '#web/state/wire.ts';
import { t } from '#web/texts/texts.ts';
import { Head } from '#web/views/shell/head.tsx';
import { ChannelPermissions } from './channel-permissions.tsx';
import { ChannelRetention } from './channel-retention.tsx';

/** One channel: the viewer's own settings, its properties, and its subscribers. */
export function ChannelSettings({ channel }: { channel: Channel }) {
  const { stream_id: id, name, is_archived: isArchived } = channel;
  const own = ownChannels.value.get(id);
  const mayEdit = useServer((server) => mayAdminister(server, channel), [channel]);
  return (
    <main class="main">
      <Head title={name} crumb={t('common.channels')} crumbLink="#channels/all">
        {(own || !channel.invite_only) && (
          <a class="button" href={linkTo(channelNarrow(id))}>
            {t('channels.open')}
          </a>
        )}
        {(own ? !isArchived : mayJoin(channel)) && (
          <button
            type="button"
            class={own ? 'button' : 'button primary'}
            onClick={() => void (own ? unsubscribe(channel) : subscribe(name))}
          >
            {own ? t('channels.unsubscribe') : t('common.subscribe')}
          </button>
        )}
      </Head>
      <div class="page">
        <div class="sheet">
          {own && <Personal channel={own} />}
          <General channel={channel} mayEdit={mayEdit} />
          <Subscribers channel={channel} />
          <ChannelPermissions channel={channel} isFixed={!mayEdit || isArchived} />
          {mayEdit && (
            <Ending
              hasEnded={isArchived}
              note={t('channels.inAnArchivedChannelEverything')}
              end={{
                title: t('channels.archive'),
                label: t('channels.archiveTheChannel'),
                run: () => archive(channel),
              }}
              bringBack={{
                title: t('channels.thisChannelIsArchived'),
                label: t('channels.bringItBack'),
                run: () =>
                  editChannel(id, { is_archived: false }).catch((failure) =>
                    showNotice(String(failure.message)),
                  ),
              }}
            />
          )}
        </div>
      </div>
    </main>
  );
}

const NOTIFICATIONS = [
  ['desktop_notifications', t('channels.onTheDesktop')],
  ['audible_notifications', t('channels.withASound')],
  ['wildcard_mentions_notify', t('channels.whenAllSubscribersAreMentioned')],
  ['push_notifications', t('channels.onThePhone')],
] as const;

const AS_ELSEWHERE = [
  [null, t('channels.asInYourSettings')],
  [true, t('channels.yes')],
  [false, t('channels.no')],
] as const;
const asText = (value: boolean | null): string => String(value);

function Personal({ channel }: { channel: Subscription }) {
  const id = channel.stream_id;
  const hasPhones = useServer(({ realm_push_notifications_enabled }) => realm_push_notifications_enabled);
  const shown = NOTIFICATIONS.filter(([property]) => hasPhones || property !== 'push_notifications');
  const set = (property: string) => (value: unknown) => setOwnProperty(id, property, value);
  return (
    <Group title={t('channels.howYouReadIt')}>
      <Toggle label={t('channels.pinItToTheTop')} value={channel.pin_to_top} save={set('pin_to_top')} />
      <Toggle
        label={t('channels.muteIt')}
        hint={t('channels.itStaysInTheNavigation')}
        value={channel.is_muted}
        save={set('is_muted')}
      />
      <label class="color">
        <input
          type="color"
          value={channel.color}
          onChange={(event) => {
            set('color')(event.currentTarget.value).catch((failure) => showNotice(String(failure.message)));
          }}
        />
        {t('channels.colour')}
      </label>
      <h3>{t('channels.notifyOfEveryMessage')}</h3>
      <div class="pair">
        {shown.map(([property, label]) => (
          <Choice
            key={property}
            label={label}
            value={asText(channel[property])}
            choices={AS_ELSEWHERE.map(([value, name]) => [asText(value), name] as const)}
            save={(value) => set(property)(JSON.parse(value))}
          />
        ))}
      </div>
    </Group>
  );
}

const TOPICS = [
  ['inherit', t('channels.asTheOrganizationSays')],
  ['allow_empty_topic', t('channels.topicsAreOptional')],
  ['disable_empty_topic', t('channels.everyMessageHasATopic')],
  ['empty_topic_only', t('channels.noTopics')],
] as const;
const NO_FOLDER = 0;

function General({ channel, mayEdit }: { channel: Channel; mayEdit: boolean }) {
  const { stream_id: id } = channel;
  const folders = useServer(({ channel_folders }) => channel_folders);
  const isFixed = !mayEdit;
  const open = folders.filter((folder) => !folder.is_archived || folder.id === channel.folder_id);
  return (
    <Group
      title={t('channels.theChannel')}
      {...(isFixed && { note: t('channels.thoseWhoAdministerTheChannel') })}
    >
      <TextSetting
        label={t('common.name')}
        value={channel.name}
        isFixed={isFixed}
        save={(name) => editChannel(id, { new_name: name })}
      />
      <TextSetting
        label={t('channels.whatItIsFor')}
        value={channel.description}
        isFixed={isFixed}
        isLong
        save={(description) => editChannel(id, { description })}
      />
      <Choice
        label={t('channels.whoCanReadIt')}
        value={privacyOf(channel)}
        choices={PRIVACIES}
        isFixed={isFixed}
        save={(privacy) => setPrivacy(channel, privacy)}
      />
      <div class="pair">
        <Choice
          label={t('channels.folder')}
          value={channel.folder_id ?? NO_FOLDER}
          choices={[
            [NO_FOLDER, t('channels.none')],
            ...open.map((folder) => [folder.id, folder.name] as const),
          ]}
          isFixed={isFixed}
          save={(folder) => editChannel(id, { folder_id: folder === NO_FOLDER ? null : folder })}
        />
        <Choice
          label={t('common.topics')}
          value={channel.topics_policy}
          choices={TOPICS}
          isFixed={isFixed}
          save={(policy) => editChannel(id, { topics_policy: policy })}
        />
      </div>
      <ChannelRetention channel={channel} />
    </Group>
  );
}

function Subscribers({ channel }: { channel: Channel }) {
  const ownId = useServer(({ user_id }) => user_id);
  const [chosen, setChosen] = useState<number[]>([]);
  const subscribers = channel.subscribers ?? [];
  const mayAdd = useServer((server) => mayAddSubscribers(server, channel), [channel]);
  const mayRemove = useServer((server) => mayRemoveSubscribers(server, channel), [channel]);
  return (
    <Group title={t('channels.subscribersSubscriberCount', { subscriberCount: channel.subscriber_count })}>
      {mayAdd && (
        <Form
          label={t('channels.subscribeThem')}
          submit={async () => {
            await addSubscribers(channel.name, chosen);
            setChosen([]);
          }}
        >
          <PeopleChoice
            legend={t('channels.addPeople')}
            without={subscribers}
            chosen={chosen}
            change={setChosen}
          />
        </Form>
      )}
      <ul class="plain-list lines many-people">
        {subscribers.map((id) => (
          <li key={id} class="line">
            <Avatar userId={id} size={28} />
            <div class="line-text">
              <a href={`#user/${id}`}>{nameOfPerson(id)}</a>
            </div>
            {mayRemove && id !== ownId && (
              <IconButton
                icon="x"
                label={t('channels.unsubscribeName', { name: nameOfPerson(id) })}
                onClick={() => void removeSubscriber(channel.name, id)}
              />
            )}
          </li>
        ))}
      </ul>
    </Group>
  );
}
