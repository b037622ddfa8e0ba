import type { Connection, Connections } from '#shared/domain/sockets/connection.ts';

/** The connections of a process that holds all of them. */
export function ownConnections(): Connections & { forget(connectionId: string): void } {
  const all = new Map<string, Connection>();
  return {
    async add(connection) {
      all.set(connection.connectionId, connection);
      return connection;
    },
    async remove({ connectionId }) {
      all.delete(connectionId);
    },
    find: async (connectionId) => all.get(connectionId),
    forget: (connectionId) => all.delete(connectionId),
    async markLost({ connectionId }) {
      const known = all.get(connectionId);
      if (known) all.set(connectionId, { ...known, isLost: true });
    },
    parts: async () => (all.size > 0 ? [{ number: 0, count: all.size }] : []),
    correct: async ({ count }) => count,
    isEmpty: async () => all.size === 0,
    list: async () => [...all.values()],
    listOf: async (subject) => [...all.values()].filter((connection) => connection.subject === subject),
  };
}
