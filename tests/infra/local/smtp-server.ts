import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** An SMTP server that stores accepted mails. */
export interface TestSmtpServer {
  url: string;
  mails: string[];
  /** The reply to recipients; others than 2xx refuse them. */
  recipientReply: string;
  stop(): Promise<void>;
}

/** Starts a server of the commands that clients need (RFC 5321), on a free port or on the one of an earlier server. */
export async function startSmtpServer(port = 0): Promise<TestSmtpServer> {
  const sockets = new Set<Socket>();
  const test: TestSmtpServer = {
    url: '',
    mails: [],
    recipientReply: '250 Accepted',
    stop: async () => undefined,
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    void serve(socket, test);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  test.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  test.stop = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return test;
}

async function serve(socket: Socket, test: TestSmtpServer): Promise<void> {
  const say = (line: string): boolean => socket.write(`${line}\r\n`);
  let mail: string[] | undefined;
  say('220 test');
  for await (const line of createInterface({ input: socket })) {
    if (mail) {
      if (line === '.') {
        test.mails.push(mail.join('\n'));
        mail = undefined;
        say('250 Kept');
      } else mail.push(line);
    } else if (line === 'DATA') {
      mail = [];
      say('354 Go ahead');
    } else if (line.startsWith('RCPT')) say(test.recipientReply);
    else if (line === 'QUIT') {
      say('221 Bye');
      socket.end();
    } else say('250 Fine');
  }
}
