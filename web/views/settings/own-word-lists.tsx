import { setTopicPolicy } from '#web/net/message-actions.ts';
import { addAlertWord, removeAlertWord, unmutePerson } from '#web/net/own-settings.ts';
import { linkTo } from '#web/net/router.ts';
import { nameOfPerson, names, topicLabel, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { Form, TextLine } from '#web/parts/form.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import { topicNarrow } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';

/** Words that notify as a mention does. */
export function AlertWords() {
  const words = useServer(({ alert_words }) => alert_words);
  return (
    <Group title={t('settings.alertWords')} note={t('settings.aMessageWithOneOf')}>
      <Form label={t('common.add')} submit={(fields) => addAlertWord(String(fields.get('word')).trim())}>
        <TextLine label={t('settings.wordOrPhrase')} name="word" isRequired longest={100} />
      </Form>
      <ul class="plain-list lines">
        {words.map((word) => (
          <li key={word} class="line">
            <div class="line-text">{word}</div>
            <IconButton
              icon="trash"
              label={t('settings.removeWord', { word })}
              onClick={() => void removeAlertWord(word)}
            />
          </li>
        ))}
      </ul>
    </Group>
  );
}

/** People whose messages the viewer does not want to see. */
export function MutedPeople() {
  const muted = useServer(({ muted_users }) => muted_users);
  return (
    <Group title={t('settings.mutedPeople')} note={t('settings.theirMessagesAreFoldedAnd')}>
      {muted.length === 0 && <p class="quiet">{t('settings.youHaveMutedNoOne')}</p>}
      <ul class="plain-list lines">
        {muted.map(({ id }) => (
          <li key={id} class="line">
            <Avatar userId={id} size={28} />
            <div class="line-text">{nameOfPerson(id)}</div>
            <button type="button" class="button" onClick={() => void unmutePerson(id)}>
              {t('settings.unmute')}
              <span class="hidden-visually"> {nameOfPerson(id)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Group>
  );
}

const POLICIES = [
  [0, t('settings.asTheChannel')],
  [1, t('settings.muted')],
  [2, t('settings.notMuted')],
  [3, t('settings.followed')],
] as const;

/** Topics that the viewer follows or has muted. */
export function Topics() {
  const all = useServer(({ user_topics }) => user_topics);
  return (
    <Group title={t('common.topics')} note={t('settings.topicsThatYouFollowOr')}>
      {all.length === 0 && <p class="quiet">{t('settings.youHaveArrangedNoTopic')}</p>}
      <ul class="plain-list lines">
        {all.map(({ stream_id: channelId, topic_name: topic, visibility_policy: policy }) => (
          <li key={`${channelId} ${topic}`} class="line">
            <div class="line-text">
              <a href={linkTo(topicNarrow(channelId, topic))}>{topicLabel(topic)}</a>
              <span class="quiet">#{names.channel(channelId)}</span>
            </div>
            <select
              class="input narrow"
              aria-label={t('settings.howYouReadTopic', { topic: topicLabel(topic) })}
              onChange={({ currentTarget: box }) => void setTopicPolicy(channelId, topic, Number(box.value))}
            >
              {POLICIES.map(([value, name]) => (
                <option key={value} value={value} selected={value === policy}>
                  {name}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
    </Group>
  );
}
