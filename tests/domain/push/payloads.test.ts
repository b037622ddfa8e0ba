import { expect, test } from 'vitest';
import type { Message } from '#shared/domain/messages/message.ts';
import { messagePayload } from '#shared/domain/push/payloads.ts';
import { directMessage } from '#tests/harness/samples.ts';

const organization = { name: 'Ours', url: 'https://chat.example.com/' };
const message = directMessage(7, 2, []);

const pictureIn = (shown: Message): unknown => messagePayload(organization, 1, shown).sender_avatar_url;

test('A notification has the absolute address of its sender’s picture, wherever it is stored', () => {
  const uploaded = { ...message, senderAvatarPicture: 'a.png' };
  expect(pictureIn(uploaded)).toBe('https://chat.example.com/user_avatars/a.png');
  expect(pictureIn(message)).toMatch(/^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?/);
});
