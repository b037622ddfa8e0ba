import type { Integration } from '../integration.ts';
import { UnexpectedPayload } from '../payload.ts';

export const opensearch: Integration = {
  slug: 'opensearch',
  displayName: 'OpenSearch',
  clientName: 'OpenSearch',
  categories: ['monitoring', 'meta-integration'],
  setup:
    'In OpenSearch: **Notifications**, **Channels**, a custom webhook. The body is plain text; its first line may be `topic:` with the topic. Any program that posts text can use it.',
  body: 'text',
  says: ({ payload }) => {
    const text = payload.text('').trim();
    if (text === '') throw new UnexpectedPayload('text');
    const [, topic, content] = /^topic:([^\n]*)(?:\n([\s\S]*))?$/.exec(text) ?? [];
    return topic === undefined
      ? { topic: 'OpenSearch alerts', content: text }
      : { topic: topic.trim() === '' ? 'OpenSearch alerts' : topic.trim(), content: content ?? '' };
  },
};
