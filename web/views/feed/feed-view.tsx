import { identityOf } from '#web/net/moves.ts';
import type { Narrow } from '#web/state/narrow.ts';
import { conversationOf, keyOfNarrow, operandOf } from '#web/state/narrow.ts';
import { Compose } from '#web/views/compose/compose.tsx';
import { ReplyDock } from '#web/views/compose/reply-dock.tsx';
import { StartConversation } from '#web/views/compose/start.tsx';
import { Feed } from './feed.tsx';
import { FeedHead } from './feed-head.tsx';

/** Messages that a narrow shows, and where to answer them. */
export function FeedView({ narrow, near }: { narrow: Narrow; near?: number | undefined }) {
  const key = identityOf(keyOfNarrow(narrow));
  const conversation = conversationOf(narrow);
  const channel = Number(operandOf(narrow, 'channel'));
  const isChannel = narrow.length === 1 && channel > 0;
  const isMixed = !conversation && !isChannel && operandOf(narrow, 'search') === undefined;
  return (
    <main class="main">
      <FeedHead narrow={narrow} />
      <Feed key={`${key} ${near ?? ''}`} narrow={narrow} near={near} />
      {conversation && <Compose key={key} conversation={conversation} />}
      {isMixed && <ReplyDock />}
      {isChannel && <StartConversation key={key} channelId={channel} />}
    </main>
  );
}
