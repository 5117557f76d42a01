// What lies between a client and its server: it delays, cuts before the server has heard, or after it has done its work.
import { connect, createServer, type Socket } from 'node:net';

/** What becomes of one piece that a client sends. */
export type Trouble =
  | 'none'
  /** The connection ends before the server has heard. */
  | 'lost'
  /** The server hears and answers, and the answer is lost. */
  | 'unanswered'
  /** The client's connection ends at once, and the server hears it once it is let arrive: a network sends it again. */
  | 'late';

/** A proxy on loopback. */
export interface UnreliableProxy {
  readonly port: number;
  /** How many round trips there were. */
  readonly trips: () => number;
  /** Lets what is late arrive, and resolves when the server has answered it. */
  arrive(): Promise<void>;
  close(): Promise<void>;
}

/** Opens one in front of a port. `plan` is asked for each piece that a client sends; `delayMs` is that of each way. */
export async function openProxy(
  port: number,
  plan: () => Trouble = () => 'none',
  delayMs = 0,
): Promise<UnreliableProxy> {
  const sockets = new Set<Socket>();
  const late: (() => Promise<void>)[] = [];
  let trips = 0;
  const later = (work: () => void) => {
    if (delayMs > 0) setTimeout(work, delayMs);
    else work();
  };
  const server = createServer({ noDelay: true }, (client) => {
    const behind = connect({ port, host: '127.0.0.1', noDelay: true });
    let isCut = false;
    let isLate = false;
    const end = () => {
      client.destroy();
      behind.destroy();
    };
    for (const socket of [client, behind]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        if (!isLate) end();
      });
    }
    client.on('data', (piece) => {
      trips += 1;
      const trouble = plan();
      if (trouble === 'unanswered') isCut = true;
      if (trouble === 'late') {
        isLate = true;
        client.destroy();
        late.push(async () => {
          const answered = new Promise((done) => behind.once('data', done));
          behind.write(piece);
          await answered;
          behind.destroy();
        });
      } else if (trouble === 'lost') end();
      else later(() => behind.write(piece));
    });
    behind.on('data', (piece) => {
      if (isCut) end();
      else later(() => client.write(piece));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    trips: () => trips,
    async arrive() {
      for (const deliver of late.splice(0)) await deliver();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
