import { createServer } from 'node:http';

/** The least that an HTTP server in Node does: the same small answer to everyone. Prints its port. */
const server = createServer((request, reply) => {
  request.resume();
  request.once('end', () => {
    reply.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 2 });
    reply.end('{}');
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : address);
});
