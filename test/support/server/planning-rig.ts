// A worker's own way through a run, with a program that writes the report of a plan and nothing else.
import { writeFile } from 'node:fs/promises';
import type { RunDependencies } from '../../../src/server/runs/carry-out-run.ts';
import type { RunRequestDependencies } from '../../../src/server/runs/request-run.ts';
import type { StartChildProgram } from '../../../src/server/runs/run-child.ts';
import { SlowCheckoutLimiter } from '../../../src/server/sources/host-places.ts';
import type { ServerStore } from '../../../src/server/store/store.ts';
import { disabledTracing } from '../../../src/server/traces/tracing.ts';
import type { WorkerSession } from '../../../src/server/workers/worker-session.ts';
import { silentRuntime } from '../silent-runtime.ts';
import { idleEngine } from './idle-engine.ts';

/** The plan that is made next. */
export interface NextPlan {
  /** Its parts that a person approves. */
  parts: readonly object[];
  /** Who wrote the commits since the plan before; undefined where nobody knows. */
  authors: ReadonlySet<string> | undefined;
  /** Comes while the program makes the plan. */
  meanwhile: (() => Promise<void>) | undefined;
  /** Exit code and output of a plan that is not saved; one that succeeds where it is left out. */
  unsaved?: { readonly code: number; readonly text: string } | undefined;
  /** Approvals that policies ask for. */
  asked: readonly { readonly needed: number; readonly policy: string }[];
}

function programOf(next: NextPlan): StartChildProgram {
  return ({ args, env, onStart, onLine }) => {
    const work = async () => {
      await onStart(process.pid);
      if (args[0] !== 'plan') return 0;
      const { meanwhile } = next;
      next.meanwhile = undefined;
      await meanwhile?.();
      if (!args.includes('--out')) {
        const { code, text } = next.unsaved ?? { code: 0, text: 'a plan that is not saved' };
        onLine('output', text);
        return code;
      }
      const plan = {
        ...{ resource_changes: [], resource_drift: [] },
        hostwright: {
          actions: { 'vms.web': 'create' },
          ...{ summary: { add: 1 }, quotas: [], fingerprints: {} },
          findings: next.asked.map((approvals) => ({ code: 'policy-violated', approvals })),
        },
      };
      const last = env.HOSTWRIGHT_SERVER_LAST_PLAN;
      const report = {
        ...{ plan, page: 'a page', comment: 'a comment', approved: next.parts },
        ...(last !== undefined && { differences: ['vms.web: after.ram "1 GiB" -> "2 GiB"'] }),
      };
      await writeFile(env.HOSTWRIGHT_SERVER_REPORT ?? '', JSON.stringify(report));
      await writeFile(args[args.indexOf('--out') + 1] ?? '', 'a saved plan');
      return 2;
    };
    return { interrupt: () => undefined, kill: () => undefined, ended: work() };
  };
}

/** Dependencies of a worker that plans in a folder, without a repository and an account. */
export function makePlanningMeans(
  store: ServerStore,
  session: WorkerSession,
  folder: string,
  next: NextPlan,
): RunDependencies {
  return {
    ...{ store, workerId: session.id, lost: session.lost, maxMs: 60_000 },
    startProgram: programOf(next),
    listAuthors: () => Promise.resolve(next.authors),
    openCheckout: () =>
      Promise.resolve({
        ...{ directory: folder, scratch: folder, reads: [], submodules: [] },
        close: () => Promise.resolve(),
      }),
    runtime: { ...silentRuntime, env: { XDG_STATE_HOME: folder } },
    states: { answer: () => Promise.resolve({ rows: [] }), close: () => Promise.resolve() },
    log: { info: () => undefined, warn: () => undefined },
    ...{ tracing: disabledTracing, places: new SlowCheckoutLimiter() },
  };
}

/** Dependencies of a decision about a plan, where no git host is asked. */
export function makeDecidingMeans(store: ServerStore): RunRequestDependencies {
  const unwanted = () => Promise.reject(new Error('nobody asks for this'));
  return {
    ...{ store, engine: idleEngine, runtime: silentRuntime },
    hosts: {
      ...{ openGit: unwanted, open: unwanted, find: () => Promise.resolve(undefined) },
      close: () => undefined,
    },
  };
}
