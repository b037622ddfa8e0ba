import { describe, expect, test } from 'vitest';
import { sentLinks } from '#shared/domain/messages/link.ts';
import type { Message } from '#shared/domain/messages/message.ts';

const URL = 'https://chat.example.com';
const post = (channelName: string, topic: string): Message =>
  ({ kind: 'channel', messageId: 7, channelId: 9, channelName, topic }) as Message;

describe('The links to a sent message', () => {
  test('Name channel and topic, as clients copy them', () => {
    expect(sentLinks(URL, post('Design (new)', 'logo 50%'), true)).toEqual({
      message_url: `${URL}/#narrow/channel/9-Design-.28new.29/topic/logo.2050.25/near/7`,
      message_link: `[#Design (new) > logo 50% @ 💬](${URL}/#narrow/channel/9-Design-.28new.29/topic/logo.2050.25/near/7)`,
    });
  });

  test('Escape marks that would end the link', () => {
    const { message_link } = sentLinks(URL, post('a]b', 'x *y* $$z$$ `c` > [d] &amp;'), true);
    expect(message_link.slice(0, message_link.indexOf('('))).toBe(
      '[#a&#93;b > x &#42;y&#42; &#36;&#36;z&#36;&#36; &#96;c&#96; &#62; &#91;d&#93; &#38;amp; @ 💬]',
    );
  });

  test('Show the empty topic by its display name', () => {
    expect(sentLinks(URL, post('ch', ''), true)).toEqual({
      message_url: `${URL}/#narrow/channel/9-ch/topic//near/7`,
      message_link: `[#ch > general chat @ 💬](${URL}/#narrow/channel/9-ch/topic//near/7)`,
    });
  });

  test('Leave out the name of a channel that the sender may not know', () => {
    const address = `${URL}/#narrow/channel/9/topic/plan/near/7`;
    expect(sentLinks(URL, post('secret', 'plan'), false)).toEqual({
      message_url: address,
      message_link: address,
    });
  });

  test('Have only the address for a direct message', () => {
    const message = { kind: 'direct', messageId: 7, recipients: [{ id: 4 }, { id: 6 }] } as Message;
    const address = `${URL}/#narrow/dm/4,6-dm/near/7`;
    expect(sentLinks(URL, message, false)).toEqual({ message_url: address, message_link: address });
  });
});
