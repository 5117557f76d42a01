import { AsyncLocalStorage } from 'node:async_hooks';
import type { DBOS, WorkflowStatus, WorkflowStatusString } from '@dbos-inc/dbos-sdk';
import type {
  DurableRunEngine,
  DurableRunEngineOptions,
  RunPostponement,
  QueuedRun,
} from './durable-engine.ts';
import { loadDbos } from './load-dbos.ts';

/**
 * The queues, each with a partition for each workspace, and with places of its own: what was begun by a worker that is gone,
 * what somebody waits for, what nobody does, and what keeps to no order. DBOS knows no order among partitions, so whatever must
 * not wait for others needs a queue of its own.
 */
const queues = ['continued', 'runs', 'low', 'previews'] as const;
type Queue = (typeof queues)[number];
const workflowName = 'run';
const schemaName = 'hostwright_engine';
/** Polling interval of each queue, in milliseconds: people wait for the runs of the first two. */
const lookEveryMs: Readonly<Record<Queue, number>> = {
  continued: 250,
  runs: 250,
  low: 1_000,
  previews: 1_000,
};
/** Number of runs of each queue that one process carries out at once. Nothing waits for a preview. */
const workerConcurrency: Readonly<Record<Queue, number>> = {
  continued: 4,
  runs: 4,
  low: 4,
  previews: 1,
};
/** DBOS takes lower numbers first within a partition. What was called for before comes before what never was. */
const priorities = { again: 1, usual: 5 };
/** Delay before a run is continued after the database was out of reach. */
const afterFault: RunPostponement = { afterMs: 4_000 };

/** Arguments that the engine stores with a run. */
interface Call extends QueuedRun {
  readonly queue: Queue;
  /** Number of earlier workflows of the run: each call is a workflow of its own. */
  readonly round: number;
}

/**
 * The engine on DBOS Transact. There is one in a process, as the library that `load` loads has one. Its tables lie in a schema of their own.
 * @throws DiagnosticError where the library is not installed
 */
export async function openDbosEngine(
  options: DurableRunEngineOptions,
  load = loadDbos,
): Promise<DurableRunEngine> {
  const { DBOS: dbos } = await load();
  // DBOS uses `pg` in a deprecated way, which warns on standard error and cannot be changed from here.
  process.noDeprecation = true;
  dbos.setConfig({
    name: 'hostwright',
    systemDatabaseUrl: options.databaseUrl,
    systemDatabaseSchemaName: schemaName,
    applicationVersion: options.version,
    executorID: options.workerId,
    listenQueues: options.carriesOut ? [...queues] : ['none'],
    logger: describeLogger(options.warn),
  });
  const carryOut = dbos.registerWorkflow(
    async (call: Call): Promise<void> => {
      // One step: what is inside of it continues from the journal of the state.
      const later = await dbos.runStep(
        async () => {
          try {
            return (await options.carryOut(call.id)) ?? null;
          } catch (error) {
            options.warn(error instanceof Error ? error.message : String(error));
            return afterFault;
          }
        },
        { name: 'carry-out' },
      );
      if (later) await start({ ...call, round: call.round + 1 }, later);
    },
    { name: workflowName },
  );
  const start = async (call: Call, later?: RunPostponement) => {
    const { id, workspaceId: queuePartitionKey, queue: queueName, round } = call;
    const priority = later ? priorities.again : priorities.usual;
    const delay = later && { delaySeconds: Math.max(1, Math.ceil(later.afterMs / 1_000)) };
    return dbos.startWorkflow(carryOut, {
      workflowID: round === 0 ? id : `${id}${roundMark}${round}`,
      queueName,
      enqueueOptions: { queuePartitionKey, priority, ...delay },
    })(call);
  };
  // Work within a step starts no workflow, and scheduled work starts runs.
  const outsideOfStep = AsyncLocalStorage.snapshot();
  const scheduled = Object.entries(options.scheduled).map(([name, work]) => ({
    name,
    workflow: dbos.registerWorkflow(
      (): Promise<void> => dbos.runStep(() => outsideOfStep(work), { name }),
      { name },
    ),
  }));
  await dbos.launch();
  for (const queue of queues)
    await dbos.registerQueue(queue, {
      partitionConcurrency: 1,
      workerConcurrency: workerConcurrency[queue],
      minPollingIntervalMs: lookEveryMs[queue],
    });
  return {
    enqueue: async ({ id, workspaceId }, queue) => {
      const call = { id, workspaceId, queue: queue ?? 'runs' } as const;
      for (let round = 0; ; round += 1) {
        const handle = await start({ ...call, round });
        const status = (await handle.getStatus())?.status;
        if (!status || isOpen(status)) return;
      }
    },
    cancel: (runId) => cancel(dbos, runId),
    schedule: async (name, schedule) => {
      const found = scheduled.find((one) => one.name === name);
      if (!found) return;
      const { workflow: workflowFn } = found;
      await dbos.applySchedules([{ scheduleName: name, workflowFn, schedule }]);
    },
    list: () => listQueued(dbos),
    recover: (workerId, begun) => recover(dbos, workerId, begun),
    adopt: async (liveVersions) => {
      const found = await listWaiting(dbos);
      const left = found.filter(
        ({ applicationVersion: version }) => version !== undefined && !liveVersions.has(version),
      );
      for (const { workflowID, input } of left) {
        // First the new one: whoever is killed in between leaves both, and the next one finds the same.
        const call = input?.[0] as Call;
        await start({ ...call, round: call.round + 1 }, { afterMs: 0 });
        await dbos.cancelWorkflow(workflowID);
      }
      return left.map(({ workflowID }) => readRunId(workflowID));
    },
    forget: (endedBefore, limit) => forget(dbos, endedBefore, limit),
    close: (patienceMs) =>
      dbos.shutdown({ deregister: true, workflowCompletionTimeoutMS: patienceMs }),
  };
}

const roundMark = ':';
const isOpen = (status: string) => ['ENQUEUED', 'DELAYED', 'PENDING'].includes(status);
const waiting = ['ENQUEUED', 'DELAYED'] satisfies WorkflowStatusString[];

/** Reads from the engine's id of a workflow which run it carries out. */
function readRunId(workflowId: string): string {
  return workflowId.split(roundMark, 1)[0] ?? '';
}

async function cancel(dbos: typeof DBOS, runId: string): Promise<void> {
  // The step of one that runs would go on, while the next of its workspace began.
  const found = await dbos.listWorkflows({ workflow_id_prefix: runId, status: [...waiting] });
  for (const { workflowID } of found) await dbos.cancelWorkflow(workflowID);
}

function listWaiting(dbos: typeof DBOS): Promise<readonly WorkflowStatus[]> {
  return dbos.listWorkflows({ queueName: [...queues], status: [...waiting] });
}

async function listQueued(dbos: typeof DBOS): ReturnType<DurableRunEngine['list']> {
  const found = await listWaiting(dbos);
  const rank = ({ queueName = '' }: WorkflowStatus) => queues.indexOf(queueName as Queue);
  const ordered = found.toSorted(
    (left, right) => rank(left) - rank(right) || left.priority - right.priority,
  );
  return ordered.map(({ workflowID, queuePartitionKey = '', queueName }) => ({
    id: readRunId(workflowID),
    workspaceId: queuePartitionKey,
    isPreview: queueName === 'previews',
  }));
}

async function recover(
  dbos: typeof DBOS,
  executorId: string,
  begun: ReadonlySet<string>,
): Promise<readonly string[]> {
  const taken = await dbos.listWorkflows({
    executorId,
    status: 'PENDING',
    queueName: [...queues],
  });
  const resume = async (queueName: Queue, some: readonly WorkflowStatus[]) => {
    if (some.length > 0)
      await dbos.resumeWorkflows(
        some.map(({ workflowID }) => workflowID),
        { queueName },
      );
  };
  // A preview stays beside the runs of its workspace.
  const isBegun = ({ workflowID, queueName }: WorkflowStatus) =>
    queueName !== 'previews' && begun.has(readRunId(workflowID));
  await resume('continued', taken.filter(isBegun));
  for (const queue of queues) {
    const others = taken.filter((one) => one.queueName === queue && !isBegun(one));
    await resume(queue, others);
  }
  return taken.map(({ workflowID }) => readRunId(workflowID));
}

async function forget(dbos: typeof DBOS, endedBefore: Date, limit: number): Promise<number> {
  const ended = await dbos.listWorkflows({
    status: ['SUCCESS', 'ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'],
    completedBefore: endedBefore.toISOString(),
    limit,
    loadInput: false,
    loadOutput: false,
  });
  if (ended.length > 0) await dbos.deleteWorkflows(ended.map(({ workflowID }) => workflowID));
  return ended.length;
}

function describeLogger(warn: (text: string) => void) {
  const say = (entry: unknown) =>
    warn(
      entry instanceof Error
        ? entry.message
        : typeof entry === 'string'
          ? entry
          : JSON.stringify(entry),
    );
  const nothing = () => undefined;
  return { debug: nothing, info: nothing, warn: say, error: say };
}
