import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { Bus, JobNotice } from './services.ts';

const ENTRIES_PER_CALL = 10;
/** The `source` of every event that the service puts on its bus. */
export const BUS_SOURCE = 'team-chat';

/** The EventBridge bus. A notice that the bus refuses is an error: the sweep will publish it again. */
export function createAwsBus(busName: string, endpoint?: string): Bus {
  const client = new EventBridgeClient(endpoint ? { endpoint } : {});
  return {
    async publish(notices) {
      for (let start = 0; start < notices.length; start += ENTRIES_PER_CALL) {
        const entries = notices
          .slice(start, start + ENTRIES_PER_CALL)
          .map((notice) => toEntry(busName, notice));
        const reply = await client.send(new PutEventsCommand({ Entries: entries }));
        if (reply.FailedEntryCount)
          throw new Error(`The bus refused ${reply.FailedEntryCount} of ${entries.length} jobs`);
      }
    },
  };
}

const toEntry = (busName: string, notice: JobNotice) => ({
  EventBusName: busName,
  Source: BUS_SOURCE,
  DetailType: notice.type,
  Detail: JSON.stringify(notice),
});
