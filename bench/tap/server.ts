/** The provider of the bench, a process of its own: answers small requests, takes or gives bulk; prints its port. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { bulkBytes, download, request, response, upload } from './wire.ts';
import { writeBulk } from './write-bulk.ts';

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy());
  socket.once('data', (first) => {
    const kind = String.fromCharCode(first[0] ?? 0);
    if (kind === download) writeBulk(socket);
    else if (kind === upload) takeBulk(socket, first.length - 1);
    else answer(socket, first.length);
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));

function answer(socket: Socket, firstBytes: number): void {
  let gotBytes = 0;
  const got = (bytes: number): void => {
    for (gotBytes += bytes; gotBytes >= request.length; gotBytes -= request.length) socket.write(response);
  };
  socket.on('data', (chunk) => got(chunk.length));
  got(firstBytes);
}

function takeBulk(socket: Socket, firstBytes: number): void {
  let leftBytes = bulkBytes - firstBytes;
  socket.on('data', (chunk) => {
    leftBytes -= chunk.length;
    if (leftBytes === 0) socket.write('!');
  });
}
