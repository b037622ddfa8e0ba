import type { Connection, Connections } from '#shared/domain/sockets/connection.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { SOCKETS_PARTITION, socketKeys, socketPrefix } from '#shared/table/keys/queues.ts';
import { recordOf } from '#shared/table/record.ts';
import type { Item, Query } from '#shared/table/table.ts';
import { unlessChanged } from '#shared/table/unless-changed.ts';

type Named = Pick<Connection, 'subject' | 'connectionId'>;

/** The connections as items of the table. Ended ones that no one has noticed are left out when their time is over. */
export function tableConnections({ table, clock }: Pick<Services, 'table' | 'clock'>): Connections {
  const keyOf = ({ subject, connectionId }: Named) => socketKeys.connection(subject, connectionId);
  const list = async (query: Partial<Query>): Promise<Connection[]> => {
    const items = await table.list({ partition: SOCKETS_PARTITION, consistent: true, ...query });
    return items.map(toConnection).filter((one) => one.expiresAtSeconds > toSeconds(clock.nowMs()));
  };
  return {
    async add(connection) {
      const { subject, connectionId, expiresAtSeconds } = connection;
      const name = { ...socketKeys.name(connectionId), subject, connectionId, expiresAtSeconds };
      await table.write({ kind: 'put', item: name });
      await table.write({ kind: 'put', item: { ...keyOf(connection), ...connection } });
    },
    async remove(connection) {
      await table.write({ kind: 'delete', key: keyOf(connection) });
      await table.write({ kind: 'delete', key: socketKeys.name(connection.connectionId) });
    },
    async find(connectionId) {
      return (await table.find(socketKeys.name(connectionId))) as Named | undefined;
    },
    markLost: (connection) =>
      unlessChanged(() =>
        table.write({
          kind: 'update',
          key: keyOf(connection),
          set: { isLost: true },
          condition: { exists: true },
        }),
      ),
    async isEmpty() {
      const { items } = await table.page({ partition: SOCKETS_PARTITION, limit: 1, consistent: true });
      return items.length === 0;
    },
    list: () => list({}),
    listOf: (subject) => list({ prefix: socketPrefix(subject) }),
  };
}

function toConnection(item: Item): Connection {
  const { pk: _, sk: __, ...connection } = item;
  return recordOf<Connection>(connection);
}
