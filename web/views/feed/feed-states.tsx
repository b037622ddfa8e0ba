import type { ComponentChildren } from 'preact';
import { nameOfPerson, names, server, topicLabel } from '#web/net/store.ts';
import { Empty } from '#web/parts/empty.tsx';
import { Skeleton } from '#web/parts/skeleton.tsx';
import { conversationOf, type Narrow, operandOf } from '#web/state/narrow.ts';
import { labelOfKey } from '#web/state/shortcuts.ts';
import { rich, t } from '#web/texts/texts.ts';
import { openNewMessage } from '#web/views/compose/new-message.tsx';

export const LoadingFeed = () => (
  <div class="feed" aria-busy="true">
    <Skeleton rows={4} label={t('feed.loadingMessages')} />
  </div>
);

export function FailedFeed({ failure, retry }: { failure: string; retry: () => void }) {
  return (
    <div class="feed">
      <Empty icon="triangle-alert" role="alert" title={t('feed.theseMessagesCouldNotBe')} text={failure}>
        <button type="button" class="button" onClick={retry}>
          {t('feed.tryAgain')}
        </button>
      </Empty>
    </div>
  );
}

/** Where an address leads to something that the viewer does not see. */
export function HiddenFeed({ reason }: { reason: string }) {
  return (
    <div class="feed">
      <Empty icon="lock" title={t('feed.thisCannotBeShown')} text={reason}>
        <a class="button" href="#inbox">
          {t('feed.goToTheInbox')}
        </a>
      </Empty>
    </div>
  );
}

/** Suggestions for a feed without messages, or why it has none any longer. */
export function EmptyFeed({ narrow, wasEmptied }: { narrow: Narrow; wasEmptied: boolean }) {
  const isTopic = conversationOf(narrow)?.type === 'stream';
  const { title, text } =
    wasEmptied && isTopic
      ? { title: t('feed.thisTopicIsEmptyNow'), text: t('feed.itsMessagesWereDeletedOr') }
      : wordsFor(narrow);
  return (
    <div class="feed">
      <Empty icon="message-square" title={title} text={text}>
        {operandOf(narrow, 'is') === 'dm' && (
          <button type="button" class="button" onClick={() => openNewMessage('people')}>
            {t('compose.newDirectMessage')}
          </button>
        )}
      </Empty>
    </div>
  );
}

function wordsFor(narrow: Narrow): { title: string; text: ComponentChildren } {
  const conversation = conversationOf(narrow);
  if (conversation?.type === 'stream')
    return {
      title: topicLabel(conversation.topic),
      text: t('feed.nothingWasWrittenHereYet'),
    };
  if (conversation) {
    const [first] = conversation.userIds;
    if (conversation.userIds.length === 1 && first === server.value.user_id)
      return { title: t('common.notesToYourself'), text: t('feed.whatYouWriteHereIs') };
    const others = conversation.userIds.map(nameOfPerson).join(t('common.comma'));
    return { title: others, text: t('feed.youHaveNotWrittenTo', { names: others }) };
  }
  const channel = narrow.length === 1 ? operandOf(narrow, 'channel') : undefined;
  if (channel !== undefined)
    return {
      title: t('feed.aQuietChannel'),
      text: t('feed.nothingWasWrittenHereYetName', { channel: names.channel(Number(channel)) ?? '' }),
    };
  const is = operandOf(narrow, 'is');
  if (is === 'mentioned') return { title: t('feed.noMentions'), text: t('feed.messagesThatMentionYouAre') };
  if (is === 'starred')
    return {
      title: t('feed.nothingStarred'),
      text: t('feed.starAMessageToFind'),
    };
  if (is === 'dm')
    return {
      title: t('feed.noDirectMessages'),
      text: rich('feed.pressCtrlKAndChoose', {
        key: labelOfKey('Ctrl+k'),
        strong: (key) => <strong>{key}</strong>,
      }),
    };
  return {
    title: t('feed.nothingFound'),
    text: t('feed.noMessageFitsThisSearch'),
  };
}
