import { createServer } from 'node:net';

/** Ports that no system gives to a connection, where each could be taken again before a server that is started listens there. */
const range = { from: 20_000, count: 12_000 };
/** Processes that look at the same time begin at different ones. */
let next = (process.pid * 97) % range.count;

/** A port of this machine that nobody listens at, another one each time. */
export async function findFreePort(): Promise<number> {
  for (let tried = 0; tried < range.count; tried += 1) {
    const port = range.from + next;
    next = (next + 1) % range.count;
    if (await isFree(port)) return port;
  }
  throw new Error('Every port is taken.');
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
