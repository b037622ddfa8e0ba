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
import { linkTo } from '#web/net/router.ts';
import { nameOfPerson, ownChannels, tell, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { Ending } from '#web/parts/ending.tsx';
import { Choice, Form, TextSetting, Toggle } from '#web/parts/form.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import { PeopleChoice } from '#web/parts/many-choice.tsx';
import { Group } from '#web/parts/sections.tsx';
import { isInGroup } from '#web/state/groups.ts';
import { channelNarrow } from '#web/state/narrow.ts';
import type { Channel, Subscription } from '#web/state/wire.ts';
import { Head } from '#web/views/shell/head.tsx';
import { ChannelPermissions } from './channel-permissions.tsx';
import { ChannelRetention } from './channel-retention.tsx';

/** One channel: how the viewer reads it, what it is, and who reads it. */
export function ChannelSettings({ channel }: { channel: Channel }) {
  const { stream_id: id, name, is_archived: isArchived } = channel;
  const own = ownChannels.value.get(id);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const groups = useServer(({ realm_user_groups }) => realm_user_groups);
  const ownId = useServer(({ user_id }) => user_id);
  const mayEdit = isAdmin || isInGroup(groups, ownId, channel.can_administer_channel_group);
  return (
    <main class="main">
      <Head title={name} crumb="Channels" crumbLink="#channels/all">
        {(own || !channel.invite_only) && (
          <a class="button" href={linkTo(channelNarrow(id))}>
            Open
          </a>
        )}
        {!isArchived && (
          <button
            type="button"
            class={own ? 'button' : 'button primary'}
            onClick={() => void (own ? unsubscribe(channel) : subscribe(name))}
          >
            {own ? 'Unsubscribe' : 'Subscribe'}
          </button>
        )}
      </Head>
      <div class="page">
        <div class="sheet">
          {own && <Personal channel={own} />}
          <General channel={channel} mayEdit={mayEdit} />
          <Subscribers channel={channel} mayEdit={mayEdit} />
          <ChannelPermissions channel={channel} isFixed={!mayEdit || isArchived} />
          {mayEdit && (
            <Ending
              hasEnded={isArchived}
              note="In an archived channel everything can be read, and nothing written."
              end={{ title: 'Archive', label: 'Archive the channel', run: () => archive(channel) }}
              bringBack={{
                title: 'This channel is archived',
                label: 'Bring it back',
                run: () =>
                  editChannel(id, { is_archived: false }).catch((failure) => tell(String(failure.message))),
              }}
            />
          )}
        </div>
      </div>
    </main>
  );
}

const NOTIFICATIONS = [
  ['desktop_notifications', 'On the desktop'],
  ['audible_notifications', 'With a sound'],
  ['wildcard_mentions_notify', 'When all subscribers are mentioned'],
  ['push_notifications', 'On the phone'],
] as const;

const AS_ELSEWHERE = [
  [null, 'As in your settings'],
  [true, 'Yes'],
  [false, 'No'],
] as const;
const asText = (value: boolean | null): string => String(value);

function Personal({ channel }: { channel: Subscription }) {
  const id = channel.stream_id;
  const hasPhones = useServer(({ realm_push_notifications_enabled }) => realm_push_notifications_enabled);
  const shown = NOTIFICATIONS.filter(([property]) => hasPhones || property !== 'push_notifications');
  const set = (property: string) => (value: unknown) => setOwnProperty(id, property, value);
  return (
    <Group title="How you read it">
      <Toggle label="Pin it to the top" value={channel.pin_to_top} save={set('pin_to_top')} />
      <Toggle
        label="Mute it"
        hint="It stays in the navigation, dimmer, and does not notify."
        value={channel.is_muted}
        save={set('is_muted')}
      />
      <label class="color">
        <input
          type="color"
          value={channel.color}
          onChange={(event) => {
            set('color')(event.currentTarget.value).catch((failure) => tell(String(failure.message)));
          }}
        />
        Colour
      </label>
      <h3>Notify of every message</h3>
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
  ['inherit', 'As the organization says'],
  ['allow_empty_topic', 'Topics are optional'],
  ['disable_empty_topic', 'Every message has a topic'],
  ['empty_topic_only', 'No topics'],
] as const;
const NO_FOLDER = 0;

function General({ channel, mayEdit }: { channel: Channel; mayEdit: boolean }) {
  const { stream_id: id } = channel;
  const folders = useServer(({ channel_folders }) => channel_folders);
  const isFixed = !mayEdit;
  const open = folders.filter((one) => !one.is_archived || one.id === channel.folder_id);
  return (
    <Group
      title="The channel"
      {...(isFixed && { note: 'Those who administer the channel can change this.' })}
    >
      <TextSetting
        label="Name"
        value={channel.name}
        isFixed={isFixed}
        save={(name) => editChannel(id, { new_name: name })}
      />
      <TextSetting
        label="What it is for"
        value={channel.description}
        isFixed={isFixed}
        isLong
        save={(description) => editChannel(id, { description })}
      />
      <Choice
        label="Who can read it"
        value={privacyOf(channel)}
        choices={PRIVACIES}
        isFixed={isFixed}
        save={(privacy) => setPrivacy(channel, privacy)}
      />
      <div class="pair">
        <Choice
          label="Folder"
          value={channel.folder_id ?? NO_FOLDER}
          choices={[[NO_FOLDER, 'None'], ...open.map((one) => [one.id, one.name] as const)]}
          isFixed={isFixed}
          save={(folder) => editChannel(id, { folder_id: folder === NO_FOLDER ? null : folder })}
        />
        <Choice
          label="Topics"
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

function Subscribers({ channel, mayEdit }: { channel: Channel; mayEdit: boolean }) {
  const groups = useServer(({ realm_user_groups }) => realm_user_groups);
  const ownId = useServer(({ user_id }) => user_id);
  const [chosen, setChosen] = useState<number[]>([]);
  const subscribers = channel.subscribers ?? [];
  const mayAdd = mayEdit || isInGroup(groups, ownId, channel.can_add_subscribers_group);
  return (
    <Group title={`Subscribers (${channel.subscriber_count})`}>
      {mayAdd && !channel.is_archived && (
        <Form
          label="Subscribe them"
          submit={async () => {
            await addSubscribers(channel.name, chosen);
            setChosen([]);
          }}
        >
          <PeopleChoice legend="Add people" without={subscribers} chosen={chosen} change={setChosen} />
        </Form>
      )}
      <ul class="plain-list lines many-people">
        {subscribers.map((id) => (
          <li key={id} class="line">
            <Avatar userId={id} size={28} />
            <div class="line-text">
              <a href={`#user/${id}`}>{nameOfPerson(id)}</a>
            </div>
            {mayEdit && id !== ownId && (
              <IconButton
                icon="x"
                label={`Unsubscribe ${nameOfPerson(id)}`}
                onClick={() => void removeSubscriber(channel.name, id)}
              />
            )}
          </li>
        ))}
      </ul>
    </Group>
  );
}
