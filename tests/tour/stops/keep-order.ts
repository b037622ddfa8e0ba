import type { Guide } from '../guide.ts';
import type { Team } from './arrive.ts';

/** A message is reported to the moderators. */
export async function keepOrder(guide: Guide, { owner, ada, bo, channel, mark }: Team): Promise<void> {
  guide.chapter('Keeping order');
  const { id } = await guide.call('POST /messages', {
    as: bo,
    parameters: { type: 'stream', to: channel.id, topic: 'logo', content: 'Buy round things at a discount!' },
  });
  guide.say('Reports go nowhere as long as no channel takes reports.');
  const report = { report_type: 'spam', description: 'Not about our logo' };
  await guide.call('PATCH /realm', { as: owner, parameters: { moderation_request_channel_id: -1 } });
  await guide.call(`POST /messages/${id}/report`, {
    as: ada,
    parameters: report,
    status: 400,
    expect: { code: 'BAD_REQUEST' },
  });
  guide.say('The owner chooses one, and the report arrives there.');
  const name = `moderation-${mark}`;
  await guide.call('POST /users/me/subscriptions', {
    as: owner,
    parameters: { subscriptions: [{ name }], invite_only: true },
  });
  const { stream_id: moderation } = await guide.call('GET /get_stream_id', {
    as: owner,
    parameters: { stream: name },
  });
  await guide.call('PATCH /realm', { as: owner, parameters: { moderation_request_channel_id: moderation } });
  await guide.call(`POST /messages/${id}/report`, { as: ada, parameters: report });
}
