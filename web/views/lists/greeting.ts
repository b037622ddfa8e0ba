import { takeNewcomer } from '#web/net/newcomer.ts';
import { loadTopics } from '#web/net/pages.ts';
import { openNarrow } from '#web/net/router.ts';
import { cache, server } from '#web/net/store.ts';
import { isSameName } from '#web/state/names.ts';
import { topicNarrow } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';
import { openComposerSoon } from '#web/views/compose/open-composer.ts';

/** Opens the greeting for a newcomer, once. */
export async function landNewcomer(): Promise<void> {
  if (takeNewcomer()) await openGreeting();
}

/** Opens the topic in which the team says hello, with the composer focused. Does nothing without a default channel. */
export async function openGreeting(): Promise<void> {
  const [channelId] = server.value.realm_default_streams;
  if (channelId === undefined) return;
  await loadTopics(channelId).catch(() => undefined);
  openNarrow(topicNarrow(channelId, greetingIn(channelId)));
  openComposerSoon();
}

/** An existing topic that greets the team, in whatever language, or else a new one. */
function greetingIn(channelId: number): string {
  const team = server.value.realm_name;
  const greeting = t('lists.helloTeam', { team });
  const names = cache.value.topics.get(channelId)?.map(({ name }) => name) ?? [];
  return (
    names.find((name) => isSameName(name, greeting)) ?? names.find((name) => name.includes(team)) ?? greeting
  );
}
