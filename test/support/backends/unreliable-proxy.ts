// What lies between a client and its server: it delays, cuts, and lets half of something through.
import { connect, createServer, type Socket } from 'node:net';

/** What becomes of one piece that a client sends. */
export type Trouble =
  | 'none'
  /** The connection ends before the server has heard. */
  | 'lost'
  /** The connection ends when the server has heard half of it. */
  | 'half sent'
  /** The server hears and answers, and the answer is lost. */
  | 'unanswered'
  /** The server hears and answers, and the connection ends when the client has heard half of the answer. */
  | 'half answered'
  /** The client's connection ends, and the server hears it once it is let arrive: a network sends it again. */
  | 'late';

/** A proxy on loopback. */
export interface UnreliableProxy {
  readonly port: number;
  /** How many round trips there were. */
  readonly trips: () => number;
  /** Ends all connections, and each that begins from now on. */
  cut(): void;
  /** Lets connections through again. */
  mend(): void;
  /** Lets what is late arrive, and resolves when the server has answered it. */
  arrive(): Promise<void>;
  close(): Promise<void>;
}

/** For so long what is late is collected: a request may come in pieces. */
const lateMs = 20;

/** Opens one in front of a port. `plan` is asked for each piece that a client sends; `delayMs` is that of each way. */
export async function openProxy(
  port: number,
  plan: () => Trouble = () => 'none',
  delayMs = 0,
): Promise<UnreliableProxy> {
  const links = new Set<Link>();
  const late: Link[] = [];
  let trips = 0;
  let isCut = false;
  const server = createServer({ noDelay: true }, (client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const next = () => {
      trips += 1;
      const trouble = plan();
      if (trouble === 'late') late.push(link);
      return trouble;
    };
    const link: Link = new Link(client, port, { next, delayMs, onEnd: () => links.delete(link) });
    links.add(link);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const endAll = () => {
    for (const link of links) link.end();
  };
  return {
    port: address.port,
    trips: () => trips,
    cut() {
      isCut = true;
      endAll();
    },
    mend: () => void (isCut = false),
    async arrive() {
      for (const link of late.splice(0)) await link.arrive();
    },
    async close() {
      endAll();
      await new Promise((done) => server.close(done));
    },
  };
}

interface LinkOptions {
  /** Asked for each piece that the client sends. */
  readonly next: () => Trouble;
  readonly delayMs: number;
  readonly onEnd: () => void;
}

/** One connection, and that to the server behind it. */
class Link {
  readonly #client: Socket;
  readonly #behind: Socket;
  readonly #options: LinkOptions;
  /** What is held back; undefined where nothing is. */
  #held: Buffer[] | undefined;
  /** How many of the bytes of the next answer the client gets. */
  #answered: 'all' | 'half' | 'none' = 'all';

  constructor(client: Socket, port: number, options: LinkOptions) {
    this.#client = client;
    this.#options = options;
    this.#behind = connect({ port, host: '127.0.0.1', noDelay: true });
    client.on('error', () => this.end());
    client.on('close', () => {
      if (!this.#held) this.end();
    });
    this.#behind.on('error', () => this.end());
    this.#behind.on('close', () => this.end());
    client.on('data', (piece) => this.#send(piece));
    this.#behind.on('data', (piece) => this.#answer(piece));
  }

  end(): void {
    this.#client.destroy();
    this.#behind.destroy();
    this.#options.onEnd();
  }

  async arrive(): Promise<void> {
    const answered = new Promise((done) => {
      this.#behind.once('data', done);
      this.#behind.once('close', done);
    });
    this.#behind.write(Buffer.concat(this.#held ?? []));
    await answered;
    this.end();
  }

  #send(piece: Buffer): void {
    if (this.#held) {
      this.#held.push(piece);
      return;
    }
    const trouble = this.#options.next();
    if (trouble === 'unanswered') this.#answered = 'none';
    if (trouble === 'half answered') this.#answered = 'half';
    if (trouble === 'late') {
      this.#held = [piece];
      setTimeout(() => this.#client.destroy(), lateMs);
    } else if (trouble === 'lost') {
      this.end();
    } else if (trouble === 'half sent') {
      this.#behind.end(halve(piece));
      this.#client.destroy();
    } else {
      this.#later(() => this.#behind.write(piece));
    }
  }

  #answer(piece: Buffer): void {
    if (this.#answered === 'all') {
      this.#later(() => this.#client.write(piece));
    } else if (this.#answered === 'none') {
      this.end();
    } else {
      this.#client.end(halve(piece));
      this.#behind.destroy();
    }
  }

  #later(work: () => void): void {
    const { delayMs } = this.#options;
    if (delayMs > 0) setTimeout(work, delayMs);
    else work();
  }
}

const halve = (piece: Buffer): Buffer => piece.subarray(0, Math.floor(piece.length / 2));
