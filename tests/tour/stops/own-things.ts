import assert from 'node:assert/strict';
import type { Guide } from '../guide.ts';
import type { Team } from './arrive.ts';

/** The data of one person on all of their devices. */
export async function ownThings(guide: Guide, { ada, bo, channel, mark }: Team): Promise<void> {
  guide.chapter('Things of one’s own');
  guide.say('Ada starts a draft on one device and continues on another.');
  const draft = { type: 'stream', to: [channel.id], topic: 'logo', content: 'What about' };
  const { ids } = await guide.call('POST /drafts', { as: ada, parameters: { drafts: [draft] } });
  await guide.call(`PATCH /drafts/${ids[0]}`, {
    as: ada,
    parameters: { draft: { ...draft, content: 'What about a circle?' } },
  });
  await guide.call('GET /drafts', { as: ada, expect: { count: 1 } });
  guide.say('She keeps a view of her own in the sidebar.');
  await guide.call('POST /navigation_views', {
    as: ada,
    parameters: { fragment: `narrow/channel/${channel.id}`, is_pinned: true, name: `Design ${mark}` },
  });
  guide.say(
    'Whenever a message speaks of circles, she wants to know. Words differ by more than letter case.',
  );
  const { alert_words: words } = await guide.call('POST /users/me/alert_words', {
    as: ada,
    parameters: { alert_words: ['circle', 'Circle', 'logo'] },
  });
  assert.equal(words.length, 2);
  guide.say('Her client says that she is there, and Bo looks whether she is.');
  await guide.call('POST /users/me/presence', {
    as: ada,
    parameters: { status: 'active', new_user_input: true },
  });
  await guide.call(`GET /users/${ada.email}/presence`, {
    as: bo,
    expect: { presence: { aggregated: { status: 'active' } } },
  });
}
