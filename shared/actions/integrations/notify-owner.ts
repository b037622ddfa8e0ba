import { composeBotDirect } from '#shared/actions/messages/bot-message.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import type { Say } from '#shared/domain/texts/texts.ts';
import type { User } from '#shared/domain/users/user.ts';
import { unlessConflict } from '#shared/log/commit.ts';
import { commitMessage } from '#shared/log/commit-message.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { findUser } from '#shared/store/users/users.ts';
import { botKeys } from '#shared/table/keys/bots.ts';

/** A failing program repeats itself. */
const NOTICE_INTERVAL_SECONDS = 300;

/**
 * The notification bot writes to the owner of a bot, at most once in five minutes for all reasons together. Nothing
 * happens for people and for bots without an active owner.
 */
export async function notifyOwner(
  services: Services,
  bot: User,
  describe: (say: Say) => string,
): Promise<void> {
  const { table, clock } = services;
  if (!bot.isBot || bot.botOwnerId === null) return;
  const nowSeconds = toSeconds(clock.nowMs());
  const key = botKeys.ownerNotice(bot.userId);
  const dueSeconds = nowSeconds - NOTICE_INTERVAL_SECONDS + 1;
  const last = await table.find(key);
  if (last && Number(last.atSeconds) >= dueSeconds) return;
  const owner = await findUser(table, bot.botOwnerId);
  if (!owner?.isActive) return;
  const { notificationBotId } = await getOrganization(table);
  const content = describe(await textsFor(services, owner.userId));
  const message = await composeBotDirect(services, notificationBotId, owner.userId, content);
  // Of two requests at the same moment one writes.
  await unlessConflict(() =>
    commitMessage(services, {
      message,
      writes: [
        {
          kind: 'put',
          item: { ...key, atSeconds: nowSeconds },
          condition: { belowOrAbsent: { atSeconds: dueSeconds } },
        },
      ],
    }),
  );
}
