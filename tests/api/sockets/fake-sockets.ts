import { answerSocket } from '#functions/sockets/answer-socket.ts';
import { RequestCounter } from '#shared/api/request-limit.ts';
import type { Posted, Services, Sockets } from '#shared/runtime/services.ts';
import type { EventQueue } from '#tests/harness/client.ts';

/** A text of the service through a socket. */
interface Text {
  op: string;
  events?: { type?: string; op?: string; message?: { content: string } }[];
}

/** Connections of a fake gateway: it accepts texts, and calls nothing. They are items of the table. */
export class FakeSockets implements Sockets {
  readonly url = 'wss://sockets.example.org/live';
  readonly texts = new Map<string, Text[]>();
  /** The answers or failures of the next posts, instead of success. */
  readonly refusals: (Posted | Error)[] = [];
  /** The connections that cannot be closed at present. */
  readonly stuck = new Set<string>();
  readonly ended: string[] = [];

  async post(connectionId: string, text: string): Promise<Posted> {
    const refusal = this.refusals.shift();
    if (refusal instanceof Error) throw refusal;
    if (refusal) return refusal;
    const texts = this.texts.get(connectionId) ?? [];
    texts.push(JSON.parse(text));
    this.texts.set(connectionId, texts);
    return 'sent';
  }

  async end(connectionId: string): Promise<Posted> {
    if (this.stuck.has(connectionId)) return 'busy';
    this.ended.push(connectionId);
    return 'gone';
  }

  /** The messages that a connection received. */
  toldTo(connectionId: string): string[] {
    const events = (this.texts.get(connectionId) ?? []).flatMap(({ events = [] }) => events);
    return events.flatMap(({ message }) => (message ? [message.content] : []));
  }

  /** Opens a connection for a queue. */
  async open(services: Services, connectionId: string, { snapshot, lastEventId }: EventQueue): Promise<void> {
    const { token } = snapshot.event_socket;
    const text = JSON.stringify({ op: 'open', token, last_event_id: lastEventId });
    await answerSocket(services, { connectionId, text }, new RequestCounter());
  }
}
