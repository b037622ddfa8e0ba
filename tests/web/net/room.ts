import type { Client } from '#tests/harness/client.ts';
import { createChannel, createUsers, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { openPage, type Page } from './page.ts';

/** Ada and Bo, their channel, and the page of Ada. */
export interface Room {
  service: TestService;
  ada: Client;
  bo: Client;
  room: TestChannel;
  page: Page;
}

/** Opens the page of Ada in a service of its own, after the given preparation. */
export async function openRoom(
  prepare: (scene: Pick<Room, 'service' | 'room'>) => Promise<void> = async () => {},
): Promise<Room> {
  const service = await startTestService();
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  const room = await createChannel(service, [ada, bo]);
  await prepare({ service, room });
  const page = await openPage(service, ada);
  return { service, ada, bo, room, page };
}
