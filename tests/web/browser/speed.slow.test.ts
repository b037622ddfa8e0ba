import { beforeAll, describe, expect, test } from 'vitest';
import { fillLog } from '#tests/harness/backlog.ts';
import { openPair } from './pair.ts';

/** The budget of the web client before its feed shows. */
const FIRST_SCRIPT_BYTES = 120_000;
const MESSAGES = 400;
/** A window of 800 px shows about twenty rows, and the list keeps as many ready above and below. */
const MOST_ROWS = 80;

const { browser, stage, ada, bo, channel, hashOf, open } = await openPair();
beforeAll(async () => {
  const place = { channelId: channel.channelId, channelName: channel.name };
  const topic = { topic: 'long', senderId: bo.userId, senderFullName: 'Bo' };
  await fillLog(stage.service.services, place, MESSAGES, MESSAGES, undefined, () => topic);
});

test('The scripts before the feed stay under 120 KB compressed', () => {
  expect(stage.firstScriptBytes).toBeLessThanOrEqual(FIRST_SCRIPT_BYTES);
});

describe.runIf(browser)('In a browser', () => {
  test('A feed appears after registering once and requesting one page of messages', async () => {
    const { context } = await stage.enter(ada.email);
    const page = await context.newPage();
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/v1/'))
        calls.push(`${request.method()} ${pathname.slice('/api/v1'.length)}`);
    });
    await page.goto(`${stage.service.url}/${hashOf('long')}`);
    await page.locator('.message .rendered').first().waitFor();
    expect(calls.filter((call) => call === 'POST /register')).toHaveLength(1);
    expect(calls.filter((call) => call === 'GET /messages')).toHaveLength(1);
    // The list of topics beside the feed, the first poll, and being here may come at the same time.
    const others = ['GET /events', `GET /users/me/${channel.channelId}/topics`, 'POST /users/me/presence'];
    const allowed = new Set(['POST /register', 'GET /messages', ...others]);
    expect(calls.filter((call) => !allowed.has(call))).toEqual([]);
  });

  test('A feed that is scrolled far holds only the rows near its window, and reaches all messages', async () => {
    const { page } = await open(hashOf('long'));
    const rows = page.locator('.feed-row');
    await rows.first().waitFor();
    const { seen, most } = await page.evaluate(scrollToOldest, MESSAGES);
    expect(seen).toBeGreaterThanOrEqual(MESSAGES);
    expect(most).toBeLessThanOrEqual(MOST_ROWS);
  });
});

/** Runs in the page: scrolls up and down until this many messages have stood in it. */
function scrollToOldest(count: number): Promise<{ seen: number; most: number }> {
  const seen = new Set<string>();
  let most = 0;
  let step = -500;
  return new Promise((resolve) => {
    const frame = (): void => {
      const feed = document.querySelector('.feed');
      const rows = document.querySelectorAll('[data-message-id]');
      most = Math.max(most, rows.length);
      for (const row of rows) seen.add(row.getAttribute('data-message-id') ?? '');
      if (!feed || seen.size >= count) {
        resolve({ seen: seen.size, most });
        return;
      }
      if (feed.scrollTop === 0) step = 500;
      feed.scrollTop += step;
      requestAnimationFrame(frame);
    };
    frame();
  });
}
