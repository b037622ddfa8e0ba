import type { Delivery, Integration, Note } from '../integration.ts';
import { bullets, inline, link, paragraphs, quote } from '../words.ts';

const sync =
  (isGood: boolean) =>
  ({ payload }: Delivery): Note => {
    const data = payload.at('data');
    const connection = data.text('connection.name');
    const facts = [
      fact('Source', link(data.find('source.name') ?? 'unknown', data.find('source.url'))),
      fact('Destination', link(data.find('destination.name') ?? 'unknown', data.find('destination.url'))),
      fact('Duration', data.find('durationFormatted')),
      fact('Records', counts(data.find('recordsEmitted'), data.find('recordsCommitted'))),
      fact('Bytes', counts(data.find('bytesEmittedFormatted'), data.find('bytesCommittedFormatted'))),
    ].filter((value) => value !== undefined);
    const error = data.find('errorMessage');
    const icon = isGood ? ':green_circle:' : ':red_circle:';
    return {
      topic: `${data.find('workspace.name') ?? 'Airbyte'} - ${connection}`,
      content: paragraphs(
        `${icon} Airbyte sync ${isGood ? '**succeeded**' : '**failed**'} for ${link(connection, data.find('connection.url'))}.`,
        bullets(facts),
        error !== undefined && quote(error),
      ),
    };
  };

const fact = (name: string, value: string | undefined): string | undefined =>
  value === undefined ? undefined : `**${name}**: ${value}`;

const counts = (emitted: string | undefined, committed: string | undefined): string | undefined =>
  emitted === undefined ? undefined : `${inline(emitted)} emitted, ${inline(committed ?? '0')} committed`;

export const airbyte: Integration = {
  slug: 'airbyte',
  displayName: 'Airbyte',
  categories: ['continuous-integration'],
  setup: 'In the workspace: **Settings**, **Notifications**, the webhooks of successful and failed syncs.',
  body: 'json',
  isQuietAboutBody: true,
  eventOf: ({ payload }) => {
    // The test of the settings page has a text only.
    if (!payload.has('data')) return payload.has('text') ? 'test' : undefined;
    return payload.is('data.success') ? 'success' : 'failure';
  },
  events: {
    success: sync(true),
    failure: sync(false),
    test: ({ payload }) => ({ topic: 'Airbyte notification', content: payload.text('text') }),
  },
};
