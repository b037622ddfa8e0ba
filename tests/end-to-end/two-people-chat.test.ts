import { describe, expect, test } from 'vitest';
import { scheduleSoon } from '#tests/api/scheduled-messages/schedules.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();

describe('Two people chat', () => {
  test('Each sees the channel, direct and scheduled messages of the other live, once and in order', async () => {
    const [ada, bo] = [await service.createUser('Ada'), await service.createUser('Bo')];
    await service.settle();
    const channelId = await ada.subscribe('design', { principals: [ada.userId, bo.userId] });
    const [adas, bos] = [await ada.listen({ event_types: ['message'] }), await bo.listen()];
    await service.settle();
    await bos.drain();
    await adas.drain();

    const first = await ada.send('design', 'logo', 'hi **Bo**');
    const second = await bo.sendDirect([ada.userId], 'hello');
    const events = await bos.waitFor('message');
    events.push(...(await bos.drain()));
    expect(events.map(({ message }) => message.id)).toEqual([first, second]);
    expect(events[0]?.message).toMatchObject({ content: 'hi **Bo**', stream_id: channelId, subject: 'logo' });

    await adas.drain();
    const later = { type: 'channel', to: channelId, topic: 'logo', content: 'later' };
    const scheduledMessageId = await scheduleSoon(bo, later);
    const delivered = await adas.waitFor('message');
    expect(delivered.map(({ message }) => message.content)).toEqual(['later']);
    const own = await bos.drain();
    expect(own.map(({ type, op }) => [type, op])).toEqual([
      ['scheduled_messages', 'add'],
      ['scheduled_messages', 'remove'],
      ['message', undefined],
    ]);
    expect(own[1]?.scheduled_message_id).toBe(scheduledMessageId);

    await bo.delete('/users/me/subscriptions', { subscriptions: ['design'] });
    await bos.drain();
    await ada.send('design', 'logo', 'are you there?');
    expect((await bos.drain()).filter(({ type }) => type === 'message')).toEqual([]);
  });
});

describe('Snapshot and events', () => {
  test('Equal a fresh snapshot over all actions of both people', async () => {
    const [ada, bo] = [await service.createUser('Ada'), await service.createUser('Bo')];
    const guest = await service.createUser('Guest', 600);
    await service.settle();
    await expectConsistentSnapshot(service, [ada, bo, guest, service.owner], async () => {
      await ada.subscribe('alpha', { principals: [ada.userId, guest.userId] });
      await ada.subscribe('secret', { invite_only: true });
      await bo.subscribe('alpha');
      await ada.send('alpha', 'one', 'first');
      await bo.send('alpha', '', 'second');
      await ada.sendDirect([bo.userId], 'psst');
      await ada.sendDirect([bo.userId, guest.userId], 'psst you two');
      await bo.delete('/users/me/subscriptions', { subscriptions: ['alpha'] });
      await ada.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'secret' }],
        principals: [bo.userId],
      });
      await bo.send('secret', 'x', 'y');
      await bo.delete('/users/me/subscriptions', { subscriptions: ['secret'] });
      await service.createUser('Cy');
    });
  });
});
