import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { makeConnectionPool } from '../../../../src/state/backends/postgres/open-pool.ts';

let server: Server | undefined;

afterEach(() => server?.close());

/** A message of the protocol: a letter, its length, and what it says. */
function message(letter: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(letter), length, body]);
}

const ready = [message('R', Buffer.alloc(4)), message('Z', 'I')];
const ending = message('E', 'SFATAL\0', 'C57P01\0', 'Mterminating connection\0', '\0');

/** A PostgreSQL that takes a connection and ends it at once, all of it in one piece of what it sends. */
async function openEndingServer(): Promise<string> {
  const opened = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([...ready, ending])));
  });
  server = opened;
  await new Promise<void>((done) => opened.listen(0, '127.0.0.1', done));
  return `postgres://user@127.0.0.1:${(opened.address() as AddressInfo).port}/one`;
}

describe('a connection that ends in the moment when it is made', () => {
  it('fails the statement for which it was made, and not the process', async () => {
    const pool = await makeConnectionPool({ connectionString: await openEndingServer() });
    const client = await pool.connect();
    await expect(client.query('SELECT 1')).rejects.toThrow();
    client.release(true);
    await pool.end();
  });
});
