import type { Browser } from 'playwright-core';
import type { ServiceOptions } from '#infra/local/start.ts';
import type { Client } from '#tests/harness/client.ts';
import { createChannel, createUsers, type TestChannel } from '#tests/harness/scene.ts';
import { Visitor } from './browser.ts';
import { openStage, type Stage } from './stage.ts';

/** Ada and Bo, who share a channel of a service that serves the web client. */
export interface Pair {
  stage: Stage;
  ada: Client;
  bo: Client;
  channel: TestChannel;
  /** The part of an address that opens a topic of the channel. */
  hashOf(topic: string, rest?: string): string;
  /** A page on which Ada has signed in and opened this. */
  open(hash: string, options?: Parameters<typeof Visitor.open>[1]): Promise<Visitor>;
}

export async function openPair(
  browser: Browser | undefined,
  options: Partial<ServiceOptions> = {},
): Promise<Pair> {
  const stage = await openStage(browser, options);
  const [ada, bo] = await createUsers(stage.service, 'Ada', 'Bo');
  const channel = await createChannel(stage.service, [ada, bo]);
  return {
    stage,
    ada,
    bo,
    channel,
    hashOf: (topic, rest = '') => `#narrow/channel/${channel.channelId}-room/topic/${topic}${rest}`,
    open: async (hash, look) => {
      const visitor = await Visitor.open(browser!, look);
      await visitor.enter(stage.service, ada.email);
      await visitor.goTo(stage.service, hash);
      return visitor;
    },
  };
}
