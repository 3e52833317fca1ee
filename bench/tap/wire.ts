/** What the bench's client and server say to each other: fixed lengths, so that neither spends its time parsing. */

export const request = Buffer.from(
  'GET /v1/things/42 HTTP/1.1\r\nhost: provider:8080\r\naccept: */*\r\nuser-agent: bench\r\n\r\n',
);

const body = JSON.stringify({ id: 42, name: 'thing', note: 'n'.repeat(160) });

export const response = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
);

/** First byte of a connection on which the client sends this many bytes after it, and gets one byte when all came. */
export const upload = 'U';

/** First byte of a connection on which the server sends this many bytes. */
export const download = 'D';

export const bulkBytes = 512 * 1024 * 1024;

export const bulkChunk = Buffer.alloc(64 * 1024, 'x');
