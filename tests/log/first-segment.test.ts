import { expect, test } from 'vitest';
import { commit } from '#shared/log/commit.ts';
import { moveLowWaterMark } from '#shared/log/head.ts';
import { indexMessages } from '#shared/search/index-messages.ts';
import { findSearchIndex } from '#shared/search/search-index.ts';
import { startTestService } from '#tests/harness/service.ts';

const POSITIONS = 60;

const service = await startTestService({ searchSegment: { positions: POSITIONS, fanout: 2 } });

test('The search index starts with the entry that fills its first segment, and not before', async () => {
  const { services } = service;
  for (let position = 0; position < POSITIONS; ) {
    position = await commit(services, {});
    await moveLowWaterMark(services, position);
    await indexMessages(services);
    const index = await findSearchIndex(services.table);
    expect([position, index?.indexed]).toEqual([position, position < POSITIONS ? undefined : POSITIONS]);
  }
});
