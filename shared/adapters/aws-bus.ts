import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { chunksOf } from '#shared/domain/chunks.ts';
import type { Bus, JobNotice, NotifierNotice } from '#shared/runtime/services.ts';

const ENTRIES_PER_CALL = 10;
/** The `source` of all events on the bus. */
export const BUS_SOURCE = 'team-chat';

/** The `detail-type` of wake-ups of the push notification worker. */
export const NOTIFIER_NOTICE = 'notify-devices';

/** The EventBridge bus. A refused notice is an error; the sweep publishes it again. */
export function createAwsBus(busName: string, endpoint?: string): Bus {
  const client = new EventBridgeClient(endpoint ? { endpoint } : {});
  const put = async (entries: ReturnType<typeof toEntry>[]): Promise<void> => {
    const reply = await client.send(new PutEventsCommand({ Entries: entries }));
    if (reply.FailedEntryCount)
      throw new Error(`The bus refused ${reply.FailedEntryCount} of ${entries.length} jobs`);
  };
  return {
    async publish(notices) {
      for (const some of chunksOf(notices, ENTRIES_PER_CALL))
        await put(some.map((notice: JobNotice) => toEntry(busName, notice.type, notice)));
    },
    async wakeNotifier(position) {
      const notice: NotifierNotice = { position };
      await put([toEntry(busName, NOTIFIER_NOTICE, notice)]);
    },
  };
}

const toEntry = (busName: string, type: string, detail: JobNotice | NotifierNotice) => ({
  EventBusName: busName,
  Source: BUS_SOURCE,
  DetailType: type,
  Detail: JSON.stringify(detail),
});
