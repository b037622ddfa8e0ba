import { useComputed } from '@preact/signals';
import { typingKey, typists } from '#web/net/presence.ts';
import { nameOfPerson, useServer } from '#web/net/store.ts';
import type { Conversation } from '#web/state/narrow.ts';
import { listOf, t } from '#web/texts/texts.ts';

/** Who writes here now. Its line stays, so that nothing moves. */
export function Typing({ conversation }: { conversation: Conversation }) {
  const isWanted = useServer(({ user_settings }) => user_settings.receives_typing_notifications);
  const all = useComputed(() => typists.value.get(typingKey(conversation))).value;
  const names = isWanted ? [...(all?.keys() ?? [])].map(nameOfPerson) : [];
  const text =
    names.length === 0
      ? ''
      : names.length > 3
        ? t('compose.severalPeopleAreTyping')
        : t('compose.namesAreTyping', { count: names.length, names: listOf(names) });
  return <div class="typing">{text}</div>;
}
