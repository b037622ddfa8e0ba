import { nameOfPerson, server, topicLabel } from '#web/net/store.ts';
import { Icon } from '#web/parts/icon.tsx';
import { conversationOf, type Narrow, operandOf } from '#web/state/narrow.ts';

/** The shape of messages that are on their way. */
export function Skeleton() {
  return (
    <div class="feed" aria-busy="true">
      <div class="skeleton" role="status" aria-label="Loading messages">
        {[1, 2, 3, 4].map((one) => (
          <div key={one}>
            <i />
            <i />
            <i />
            <i />
          </div>
        ))}
      </div>
    </div>
  );
}

export function FailedFeed({ failure, retry }: { failure: string; retry: () => void }) {
  return (
    <div class="feed">
      <div class="empty" role="alert">
        <Icon name="triangle-alert" size={20} />
        <h2>These messages could not be loaded</h2>
        <p>{failure}</p>
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      </div>
    </div>
  );
}

/** Where an address leads to something that the viewer does not see. */
export function HiddenFeed({ reason }: { reason: string }) {
  return (
    <div class="feed">
      <div class="empty">
        <Icon name="lock" size={20} />
        <h2>This cannot be shown</h2>
        <p>{reason}</p>
        <a class="button" href="#inbox">
          Go to the inbox
        </a>
      </div>
    </div>
  );
}

/** What to do where there is nothing to read. */
export function EmptyFeed({ narrow }: { narrow: Narrow }) {
  const { title, text } = wordsFor(narrow);
  return (
    <div class="feed">
      <div class="empty">
        <Icon name="message-square" size={20} />
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
    </div>
  );
}

function wordsFor(narrow: Narrow): { title: string; text: string } {
  const conversation = conversationOf(narrow);
  if (conversation?.type === 'stream')
    return {
      title: topicLabel(conversation.topic),
      text: 'Nothing was written here yet. The first message begins the topic.',
    };
  if (conversation) {
    const [first] = conversation.userIds;
    if (conversation.userIds.length === 1 && first === server.value.user_id)
      return { title: 'Notes to yourself', text: 'What you write here is for you alone.' };
    const names = conversation.userIds.map(nameOfPerson).join(', ');
    return { title: names, text: 'You have not written to each other yet. Say hello.' };
  }
  if (narrow.length === 1 && operandOf(narrow, 'channel') !== undefined)
    return { title: 'A quiet channel', text: 'Nothing was written here yet. Name a topic and begin.' };
  const is = operandOf(narrow, 'is');
  if (is === 'mentioned')
    return { title: 'No mentions', text: 'Messages that mention you are collected here.' };
  if (is === 'starred')
    return {
      title: 'Nothing starred',
      text: 'Star a message to find it here again. Others do not see your stars.',
    };
  if (is === 'dm')
    return { title: 'No direct messages', text: 'Press Ctrl K and choose a person to write to.' };
  return {
    title: 'Nothing found',
    text: 'No message fits this search. Try fewer words or another operator.',
  };
}
