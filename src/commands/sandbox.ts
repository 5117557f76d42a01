import { resolve } from 'node:path';
import type { Runtime } from '../model/runtime.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { serveSandbox } from '../sandbox/serve.ts';
import { sandboxFile } from './connect.ts';

/** What `sandbox` takes. */
export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** Where to keep the data; in memory when absent. */
  readonly data?: string;
  readonly speed: number;
  readonly seed: number;
  readonly variant: 'strict' | 'loose';
}

/** A sandbox that is being served. */
export interface Served {
  readonly baseUrl: string;
  readonly token: string;
  /** Resolves once it was interrupted and has stopped. */
  readonly stopped: Promise<void>;
}

/** Serves the sandbox until the run is interrupted. */
export async function serve(runtime: Runtime, options: ServeOptions): Promise<Served> {
  const { host, port, data, speed, seed, variant } = options;
  const sandbox = await openSandbox({
    dataFile: data === undefined ? ':memory:' : sandboxFile(resolve(runtime.cwd, data)),
    now: () => runtime.clock.now(),
    speed,
    seed,
    variant,
  });
  const server = await serveSandbox(sandbox, { host, port });
  const stop = async () => {
    await server.close();
    sandbox.close();
  };
  runtime.holdInterrupts(() => undefined);
  const { interrupted } = runtime;
  const stopped = new Promise<void>((done, fail) => {
    const finish = () => void stop().then(done, fail);
    if (interrupted.aborted) finish();
    else interrupted.addEventListener('abort', finish, { once: true });
  });
  return { baseUrl: server.baseUrl, token: sandbox.token, stopped };
}
