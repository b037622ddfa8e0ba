import { findMessage } from '#web/net/pages.ts';
import { goInstead, linkTo } from '#web/net/router.ts';
import { channels, people, server, showNotice } from '#web/net/store.ts';
import { conversationOfMessage, keyOfNarrow, type Narrow, narrowOf, operandOf } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';

export const CANNOT_BE_SHOWN = t('feed.thisMessageCannotBeShown');

/** Follows a linked message that was moved out of this feed; explains if it cannot be shown. */
export async function followMoved(messageId: number, narrow: Narrow): Promise<void> {
  const message = await findMessage(messageId);
  if (!message) {
    showNotice(CANNOT_BE_SHOWN);
    return;
  }
  const now = narrowOf(conversationOfMessage(message, server.value.user_id));
  if (keyOfNarrow(now) !== keyOfNarrow(narrow)) goInstead(linkTo(now, messageId));
}

/** Why a feed cannot be shown at all; undefined if it can be fetched. */
export function findObstacle(narrow: Narrow): string | undefined {
  const channel = operandOf(narrow, 'channel');
  if (channel !== undefined && !channels.value.has(Number(channel))) return t('feed.theChannelOfThisAddress');
  const others = operandOf(narrow, 'dm')?.split(',').map(Number) ?? [];
  if (others.some((id) => Number.isInteger(id) && !people.value.has(id)))
    return t('feed.thisAddressNamesAPerson');
  return undefined;
}
