import { BadRequest } from '#shared/domain/errors.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { ChannelView } from './access.ts';
import { isPast } from './editing/edit-content.ts';
import type { Message } from './message.ts';

/** A deletion request, with the state that decides whether it is allowed. */
export interface Deletion {
  message: Message;
  view: ChannelView | undefined;
  /** The sender's current state. */
  sender: User | undefined;
  organization: Organization;
  nowSeconds: number;
}

/** Whether the user may delete the messages of others: everywhere, or in this channel. */
export const mayDeleteAny = (
  user: User,
  { view, organization }: Pick<Deletion, 'view' | 'organization'>,
): boolean =>
  isPermitted(user, permissions.deleteAnyMessage, {
    organization: organization.groups,
    ...(view && { channel: view.channel.groups }),
  });

/** @throws BadRequest when the user may not delete the message, or not any longer */
export function requireMayDelete(user: User, deletion: Deletion): void {
  const { message, view, sender, organization, nowSeconds } = deletion;
  if (mayDeleteAny(user, deletion)) return;
  const isOwn = message.senderId === user.userId || sender?.botOwnerId === user.userId;
  const mayDeleteOwn = isPermitted(user, permissions.deleteOwnMessage, {
    organization: organization.groups,
    ...(view && { channel: view.channel.groups }),
    relations: { sentMessage: isOwn },
  });
  if (!mayDeleteOwn || view?.channel.isArchived)
    throw new BadRequest("You don't have permission to delete this message");
  if (isPast(message, organization.settings.message_content_delete_limit_seconds, nowSeconds))
    throw new BadRequest('The time limit for deleting this message has passed');
}
