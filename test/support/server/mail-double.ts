// A mail server as far as the server of Hostwright speaks to one: SMTP on loopback, in the clear.
import { createServer, type Socket, type AddressInfo } from 'node:net';

/** An e-mail that came in. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** With its headers. */
  readonly text: string;
}

/** The mail server while it runs. */
export interface MailDouble {
  /** `smtp://127.0.0.1:PORT` */
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** How the next e-mails are answered, in their order; then they are taken. */
  readonly answers: string[];
  close(): Promise<void>;
}

/** Starts it. */
export async function startMailDouble(): Promise<MailDouble> {
  const received: ReceivedMail[] = [];
  const answers: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, (mail) => {
      const answer = answers.shift();
      if (answer === undefined) received.push(mail);
      return answer ?? '250 taken';
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    ...{ url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, received, answers },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function serve(socket: Socket, take: (mail: ReceivedMail) => string): void {
  let from = '';
  let to: string[] = [];
  let body: string | undefined;
  let rest = '';
  const say = (line: string) => socket.write(`${line}\r\n`);
  const hear = (line: string) => {
    if (body !== undefined) {
      if (line !== '.') body += `${line.replace(/^\./, '')}\n`;
      else {
        say(take({ from, to, text: body }));
        [body, to] = [undefined, []];
      }
      return;
    }
    const [, address = ''] = /<([^>]*)>/.exec(line) ?? [];
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'EHLO') say('250 double');
    // It knows no TLS, as it has said.
    else if (verb === 'STAR') say('502 not known');
    else if (verb === 'DATA') {
      body = '';
      say('354 go on');
    } else if (verb === 'QUIT') socket.end('221 bye\r\n');
    else {
      if (verb === 'MAIL') from = address;
      if (verb === 'RCPT') to = [...to, address];
      say('250 ok');
    }
  };
  say('220 double');
  socket.on('data', (chunk) => {
    const lines = `${rest}${chunk.toString()}`.split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) hear(line);
  });
}
