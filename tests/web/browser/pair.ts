import type { Browser } from 'playwright-core';
import type { ServiceOptions } from '#infra/local/start.ts';
import { Client } from '#tests/harness/client.ts';
import { createChannel, createUsers, type TestChannel } from '#tests/harness/scene.ts';
import { type Look, openStage, type Preparation, type Stage, type Visit } from './stage.ts';

/** Ada and Bo, who share a channel of a service that serves the web client. */
export interface Pair {
  stage: Stage;
  browser: Browser | undefined;
  ada: Client;
  bo: Client;
  channel: TestChannel;
  /** The part of an address that opens a topic of the channel. */
  hashOf(topic: string, rest?: string): string;
  /** The address of a topic of the channel. */
  addressOf(topic: string): string;
  /** A page on which Ada has signed in, after a preparation of the browser, and opened this; it ends with the test. */
  open(hash: string, look?: Look, prepare?: Preparation): Promise<Visit>;
  /** A topic with a message, of Bo if no one else is named, that Ada sees. */
  openMessage(topic: string, text: string, look?: Look, author?: Client): Promise<Visit & { id: number }>;
  /** The address of a file that Bo uploads. */
  upload(file: File): Promise<string>;
  /** The service's messages of a topic, oldest first, as their authors wrote them. */
  messagesOf(topic: string): Promise<{ id: number; content: string; sender_email: string }[]>;
  /** The texts of the service's messages of a topic, oldest first. */
  contentsOf(topic: string): Promise<string[]>;
}

/** `mayComplain`: the stories have failing calls, which the browser itself writes to the console of the page. */
export async function openPair({
  mayComplain = false,
  ...options
}: Partial<ServiceOptions> & { mayComplain?: boolean } = {}): Promise<Pair> {
  const stage = await openStage(options);
  const [ada, bo] = await createUsers(stage.service, 'Ada', 'Bo');
  const channel = await createChannel(stage.service, [ada, bo]);
  const pair: Pair = {
    stage,
    browser: stage.browser,
    ada,
    bo,
    channel,
    hashOf: (topic, rest = '') =>
      `#narrow/channel/${channel.channelId}-room/topic/${topic.replaceAll(' ', '.20')}${rest}`,
    addressOf: (topic) => `${stage.service.url}/${pair.hashOf(topic)}`,
    open: async (hash, look, prepare) => {
      const visit = await stage.enter(ada.email, look, prepare);
      if (mayComplain) visit.visitor.expectComplaints();
      await visit.visitor.goTo(stage.service, hash);
      return visit;
    },
    openMessage: async (topic, text, look, author = bo) => {
      const id = await author.send(channel.name, topic, text);
      const visit = await pair.open(pair.hashOf(topic), look);
      await visit.visitor.reads(text);
      return { ...visit, id };
    },
    upload: async (file) => {
      const rawBody = new FormData();
      rawBody.append('filename', file);
      return (await bo.post('/user_uploads', {}, { rawBody })).body.url;
    },
    messagesOf: async (topic) => {
      const narrow = [
        { operator: 'channel', operand: channel.channelId },
        { operator: 'topic', operand: topic },
      ];
      const page = { narrow, anchor: 'newest', num_before: 200, num_after: 0, apply_markdown: false };
      const { body } = await new Client(stage.service.url, bo).get('/messages', page);
      return body.messages;
    },
    contentsOf: async (topic) => (await pair.messagesOf(topic)).map(({ content }) => content),
  };
  return pair;
}
