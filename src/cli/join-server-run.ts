import { Socket } from 'node:net';
import type { RunMark } from '../model/runtime.ts';

/** The descriptor of the pipe to the worker. */
const pipe = 3;

/**
 * What `HOSTWRIGHT_SERVER_RUN` says, `ID/ATTEMPT`: which run this process carries out. From here on it ends at once when its worker
 * ends: the state and its journal are safe at any moment, and another worker goes on. Undefined for any other text.
 */
export function joinServerRun(text: string): RunMark | undefined {
  const [, id, attempt] = /^([\w-]+)\/(\d+)$/.exec(text) ?? [];
  if (id === undefined) return undefined;
  const socket = new Socket({ fd: pipe, readable: true, writable: false });
  // Where there is no such pipe, nobody waits for the end of this process.
  socket.on('error', () => undefined);
  socket.on('end', () => process.exit(130));
  socket.resume().unref();
  return { id, attempt: Number(attempt) };
}
