import { explain } from '#web/net/api.ts';
import { createCall } from '#web/net/calls.ts';
import { nameOfPerson, server, showNotice, useServer } from '#web/net/store.ts';
import { IconButton } from '#web/parts/icon.tsx';
import { type MenuItem, openMenu } from '#web/parts/layer.tsx';
import { type CallKind, callProviderOf } from '#web/state/calls.ts';
import type { Conversation } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';
import { hostOf } from './hosts.ts';
import { whereTo } from './where-to.ts';

/** Adds a link to a new call to the message; renders nothing if the organization has no call provider. */
export function CallButton({ conversation }: { conversation: Conversation }) {
  const hasCalls = useServer((snapshot) => callProviderOf(snapshot) !== undefined);
  if (!hasCalls) return null;
  return (
    <IconButton
      icon="video"
      label={t('compose.insertACall')}
      onClick={(event) => openMenu(event.currentTarget, t('compose.insertACall'), callItems(conversation))}
    />
  );
}

/** The items of a menu that add a call. */
export const callItems = (conversation: Conversation): MenuItem[] => [
  { icon: 'video', label: t('compose.videoCall'), run: () => void addCall(conversation, 'video') },
  { icon: 'phone', label: t('compose.voiceCall'), run: () => void addCall(conversation, 'voice') },
];

/** The service may take seconds to answer. By then the viewer may be elsewhere; the link goes to its conversation. */
async function addCall(conversation: Conversation, kind: CallKind): Promise<void> {
  const provider = callProviderOf(server.value);
  if (!provider) return;
  try {
    const url = await createCall(provider, kind, nameOfCall(conversation));
    const label = kind === 'video' ? t('compose.joinVideoCall') : t('compose.joinVoiceCall');
    hostOf(conversation).insert(`[${label}](${url}) `);
  } catch (failure) {
    showNotice(t('compose.couldntCreateTheCallReason', { reason: explain(failure) }));
  }
}

/** The name that everyone in the call sees, so a direct conversation is named after all its people. */
const nameOfCall = (conversation: Conversation): string =>
  conversation.type === 'stream'
    ? whereTo(conversation)
    : [...new Set([server.value.user_id, ...conversation.userIds])].map(nameOfPerson).join(t('common.comma'));
