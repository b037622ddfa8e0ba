import type { Connection, ConnectionName, Connections } from '#shared/domain/sockets/connection.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { socketKeys, socketPrefix, socketsOfPart } from '#shared/table/keys/queues.ts';
import { type Item, type Query, recordOf, unlessChanged } from '#shared/table/table.ts';
import { correctPart, dealPart, isConnection, listParts, partsInUse } from './parts.ts';

/** The connections as items of the table. Ended ones that no one has noticed are left out when their time is over. */
export function tableConnections(services: Pick<Services, 'table' | 'clock' | 'config'>): Connections {
  const { table, clock } = services;
  const keyOf = ({ subject, connectionId, part }: ConnectionName) =>
    socketKeys.connection(subject, connectionId, part);
  const list = async (part?: number, query: Partial<Query> = {}): Promise<Connection[]> => {
    const items = await table.list({ partition: socketsOfPart(part), consistent: true, ...query });
    return items
      .filter(isConnection)
      .map(toConnection)
      .filter((connection) => connection.expiresAtSeconds > toSeconds(clock.nowMs()));
  };
  return {
    async add(connection) {
      const { subject, connectionId, expiresAtSeconds } = connection;
      const number = await dealPart(services, expiresAtSeconds);
      const part = number > 0 ? { part: number } : {};
      const name = { ...socketKeys.name(connectionId), subject, connectionId, expiresAtSeconds, ...part };
      await table.write({ kind: 'put', item: name });
      const dealt = { ...connection, ...part };
      await table.write({ kind: 'put', item: { ...keyOf(dealt), ...dealt } });
      return dealt;
    },
    async remove(connection) {
      await table.write({ kind: 'delete', key: keyOf(connection) });
      await table.write({ kind: 'delete', key: socketKeys.name(connection.connectionId) });
    },
    async find(connectionId) {
      return (await table.find(socketKeys.name(connectionId))) as ConnectionName | undefined;
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
    parts: () => listParts(services),
    correct: (part, count) => correctPart(services, part, count),
    async isEmpty(part) {
      const query = { partition: socketsOfPart(part), limit: 2, consistent: true };
      return !(await table.page(query)).items.some(isConnection);
    },
    list: (part) => list(part),
    async listOf(subject) {
      const parts = await partsInUse(services);
      const found = await Promise.all(
        parts.map(({ number }) => list(number, { prefix: socketPrefix(subject) })),
      );
      return found.flat();
    },
  };
}

function toConnection(item: Item): Connection {
  const { pk: _, sk: __, ...connection } = item;
  return recordOf<Connection>(connection);
}
