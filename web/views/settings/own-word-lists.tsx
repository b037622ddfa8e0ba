import { setTopicPolicy } from '#web/net/message-actions.ts';
import { addAlertWord, removeAlertWord, unmutePerson } from '#web/net/own-settings.ts';
import { linkTo } from '#web/net/router.ts';
import { nameOfPerson, names, topicLabel, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { Form, TextLine } from '#web/parts/form.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import { topicNarrow } from '#web/state/narrow.ts';

/** Words that notify as a mention does. */
export function AlertWords() {
  const words = useServer(({ alert_words }) => alert_words);
  return (
    <Group
      title="Alert words"
      note="A message with one of these words notifies you as a mention does, and the word is marked."
    >
      <Form label="Add" submit={(fields) => addAlertWord(String(fields.get('word')).trim())}>
        <TextLine label="Word or phrase" name="word" isRequired longest={100} />
      </Form>
      <ul class="plain-list lines">
        {words.map((word) => (
          <li key={word} class="line">
            <div class="line-text">{word}</div>
            <IconButton icon="trash" label={`Remove ${word}`} onClick={() => void removeAlertWord(word)} />
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
    <Group title="Muted people" note="Their messages are folded, and do not notify. They do not learn of it.">
      {muted.length === 0 && <p class="quiet">You have muted no one.</p>}
      <ul class="plain-list lines">
        {muted.map(({ id }) => (
          <li key={id} class="line">
            <Avatar userId={id} size={28} />
            <div class="line-text">{nameOfPerson(id)}</div>
            <button type="button" class="button" onClick={() => void unmutePerson(id)}>
              Unmute<span class="hidden-visually"> {nameOfPerson(id)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Group>
  );
}

const POLICIES = [
  [0, 'As the channel'],
  [1, 'Muted'],
  [2, 'Not muted'],
  [3, 'Followed'],
] as const;

/** Topics that the viewer follows or has muted. */
export function Topics() {
  const all = useServer(({ user_topics }) => user_topics);
  return (
    <Group title="Topics" note="Topics that you follow, or have muted or unmuted.">
      {all.length === 0 && <p class="quiet">You have arranged no topic. The menu of a topic does it.</p>}
      <ul class="plain-list lines">
        {all.map(({ stream_id: channelId, topic_name: topic, visibility_policy: policy }) => (
          <li key={`${channelId} ${topic}`} class="line">
            <div class="line-text">
              <a href={linkTo(topicNarrow(channelId, topic))}>{topicLabel(topic)}</a>
              <span class="quiet">#{names.channel(channelId)}</span>
            </div>
            <select
              class="input narrow"
              aria-label={`How you read ${topicLabel(topic)}`}
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
