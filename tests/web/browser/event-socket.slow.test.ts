import type { WebSocketRoute } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Around } from '#infra/local/around.ts';
import { Client } from '#tests/harness/client.ts';
import { inFunction } from '#tests/harness/privilege/least-privilege.ts';
import { eventually, type Visitor } from './browser.ts';
import { openPair } from './pair.ts';
import { openDurable } from './stage.ts';

/** How often each function ran. */
const runs = new Map<string, number>();
const countRuns: Around = (name, run) => {
  runs.set(name, (runs.get(name) ?? 0) + 1);
  return inFunction(name, run);
};
const durable = await openDurable();
const { browser, stage, ada, bo, channel, hashOf, open } = await openPair({ ...durable, around: countRuns });

/** How often the service was asked for events. */
const polls = (): number => runs.get('getEvents') ?? 0;

const say = (topic: string, text: string) =>
  new Client(stage.service.url, bo).send(channel.name, topic, text);

/** The texts of the open topic, oldest first. */
const shown = (visitor: Visitor): Promise<string[]> =>
  visitor.page.locator('.message:not(.pending) .rendered').allInnerTexts();

describe.runIf(browser)('A browser that gets events through a socket', () => {
  beforeEach(async () => {
    await stage.untilSockets(0);
    runs.clear();
  });

  test('Shows messages of both sides, and no request polls for events', async () => {
    const { visitor } = await open(hashOf('pushed'));
    await stage.untilSockets(1);
    const texts: string[] = [];
    /** A page that polls would have to poll again between these messages. */
    const countPolls = async (): Promise<number> => {
      runs.clear();
      for (const writer of ['Bo', 'Ada', 'Bo again']) {
        const text = `${texts.length} from ${writer}`;
        texts.push(text);
        if (writer === 'Ada') await visitor.say(text);
        else await say('pushed', text);
        await visitor.reads(text);
      }
      return polls();
    };
    await eventually(countPolls).toBe(0);
    await eventually(() => shown(visitor)).toEqual(texts);
  });

  test('Loses and doubles nothing if the service ends the socket during a conversation', async () => {
    const { visitor, page } = await open(hashOf('cut'));
    await stage.untilSockets(1);
    const texts: string[] = [];
    for (const round of [1, 2]) {
      for (const text of [`before ${round}`, `during ${round}`, `after ${round}`]) {
        texts.push(text);
        await say('cut', text);
        if (text.startsWith('during')) await stage.endSockets();
      }
      await visitor.reads(`after ${round}`);
      await stage.untilSockets(1);
    }
    expect(polls()).toBeGreaterThan(0);
    await eventually(() => shown(visitor)).toEqual(texts);
    await page.getByText('Messages will be sent when you’re back.').waitFor({ state: 'detached' });
  });

  test.each<[string, (socket: WebSocketRoute) => unknown]>([
    ['cannot be opened again', (socket) => socket.close()],
    ['never answers', () => undefined],
  ])('Polls if the socket %s', async (_, handle) => {
    const { visitor, page } = await open(hashOf('blocked'));
    await page.routeWebSocket(/event-socket/, handle);
    await page.reload();
    await eventually(() => polls()).toBeGreaterThan(0);
    await say('blocked', 'by poll');
    await visitor.reads('by poll');
    expect(await stage.listSockets()).toEqual([]);
  });

  test('Polls a service without sockets', async () => {
    const { services } = stage.service;
    const { sockets } = services;
    delete services.sockets;
    try {
      const { visitor } = await open(hashOf('polled'));
      await eventually(() => polls()).toBeGreaterThan(0);
      await say('polled', 'from Bo');
      await visitor.reads('from Bo');
      await visitor.leave();
    } finally {
      if (sockets) services.sockets = sockets;
    }
    expect(await stage.listSockets()).toEqual([]);
  });

  test('Shows signing in if the session ends elsewhere', async () => {
    const { visitor, page } = await open(hashOf('over'));
    await stage.untilSockets(1);
    const client = await stage.service.clientOf(ada.email);
    await client.post('/users/me/api_key/regenerate');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await stage.untilSockets(0);
    await visitor.context.close();
  });
});
