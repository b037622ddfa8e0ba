import { attachmentEvents } from './apply/attachments.ts';
import { channelEvents } from './apply/channels.ts';
import { deletionEvents } from './apply/deletions.ts';
import { deviceEvents } from './apply/devices.ts';
import { draftEvents } from './apply/drafts.ts';
import { emojiEvents } from './apply/emoji.ts';
import { groupEvents } from './apply/groups.ts';
import { keepsakeEvents } from './apply/keepsakes.ts';
import { updateEvents } from './apply/message-updates.ts';
import { messageEvents } from './apply/messages.ts';
import { organizationEvents, recountRights } from './apply/organization.ts';
import { presenceEvents } from './apply/presence.ts';
import { profileEvents } from './apply/profile.ts';
import { reactionEvents } from './apply/reactions.ts';
import { scheduledEvents } from './apply/scheduled.ts';
import type { Apply, SnapshotData } from './apply/snapshot-data.ts';
import { recountUnread, topicEvents } from './apply/topics.ts';
import { typingEvents } from './apply/typing.ts';
import { userEvents } from './apply/users.ts';
import type { ReceivedEvent } from './client.ts';

const applyByType: Record<string, Apply> = {
  ...attachmentEvents,
  ...channelEvents,
  ...deletionEvents,
  ...deviceEvents,
  ...emojiEvents,
  ...draftEvents,
  ...groupEvents,
  ...keepsakeEvents,
  ...messageEvents,
  ...presenceEvents,
  ...profileEvents,
  ...organizationEvents,
  ...reactionEvents,
  ...scheduledEvents,
  ...topicEvents,
  ...typingEvents,
  ...updateEvents,
  ...userEvents,
};

/**
 * What a client does with the reply of register when events come: the state that it should then have. Written from
 * the protocol alone, so that it can judge the service.
 */
export function applyEvents(snapshot: SnapshotData, events: ReceivedEvent[]): SnapshotData {
  const state = structuredClone(snapshot);
  // States keep parts of events and change them later.
  for (const event of structuredClone(events)) {
    const apply = applyByType[event.type];
    if (!apply) throw new Error(`No client knows what to do with ${event.type}`);
    apply(state, event);
  }
  recountUnread(state);
  recountRights(state);
  return state;
}
