import { nameOfPerson, server, topicLabel } from '#web/net/store.ts';
import { Empty } from '#web/parts/empty.tsx';
import { Skeleton } from '#web/parts/skeleton.tsx';
import { conversationOf, type Narrow, operandOf } from '#web/state/narrow.ts';

export const LoadingFeed = () => (
  <div class="feed" aria-busy="true">
    <Skeleton rows={4} label="Loading messages" />
  </div>
);

export function FailedFeed({ failure, retry }: { failure: string; retry: () => void }) {
  return (
    <div class="feed">
      <Empty icon="triangle-alert" role="alert" title="These messages could not be loaded" text={failure}>
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      </Empty>
    </div>
  );
}

/** Where an address leads to something that the viewer does not see. */
export function HiddenFeed({ reason }: { reason: string }) {
  return (
    <div class="feed">
      <Empty icon="lock" title="This cannot be shown" text={reason}>
        <a class="button" href="#inbox">
          Go to the inbox
        </a>
      </Empty>
    </div>
  );
}

/** What to do where there is nothing to read. */
export function EmptyFeed({ narrow }: { narrow: Narrow }) {
  const { title, text } = wordsFor(narrow);
  return (
    <div class="feed">
      <Empty icon="message-square" title={title} text={text} />
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
