import type { DurableRunEngine } from '../../../src/server/engine/durable-engine.ts';

const nothing = () => Promise.resolve();
const none = () => Promise.resolve([]);

/** An engine that carries out nothing: whoever looks at the tables needs none. */
export const idleEngine: DurableRunEngine = {
  ...{ enqueue: nothing, cancel: nothing, schedule: nothing, close: nothing },
  ...{ list: none, recover: none, adopt: none },
  forget: () => Promise.resolve(0),
};
