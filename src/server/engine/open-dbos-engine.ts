import type { DBOS } from '@dbos-inc/dbos-sdk';
import type { Engine, EngineOptions } from './engine.ts';
import { loadDbos } from './load-dbos.ts';

/** The queue of all runs: a partition for each workspace. */
const queueName = 'runs';
const workflowName = 'run';
const schemaName = 'hostwright_engine';
/** How many runs one process carries out at once. */
const workerConcurrency = 4;
/** DBOS takes lower numbers first; 0 is what a run has unless given. */
const lowPriority = 10;

/**
 * The engine on DBOS Transact. There is one in a process. Its tables lie in a schema of their own.
 * @throws DiagnosticError where the library is not installed
 */
export async function openDbosEngine(options: EngineOptions): Promise<Engine> {
  const { DBOS: dbos } = await loadDbos();
  // Its use of `pg` makes that warn on standard error, which nobody here can change.
  process.noDeprecation = true;
  dbos.setConfig({
    name: 'hostwright',
    systemDatabaseUrl: options.databaseUrl,
    systemDatabaseSchemaName: schemaName,
    applicationVersion: options.version,
    executorID: options.workerId,
    listenQueues: options.carriesOut ? [queueName] : ['none'],
    logger: describeLogger(options.warn),
  });
  const carryOut = dbos.registerWorkflow(
    async (runId: string) => {
      // One step: what is inside of it continues from the journal of the state.
      await dbos.runStep(() => options.carryOut(runId), {
        name: 'carry-out',
        // The database was out of reach: the next attempt continues.
        ...{ retriesAllowed: true, maxAttempts: 10, intervalSeconds: 2 },
      });
    },
    { name: workflowName },
  );
  const scheduled = Object.entries(options.scheduled).map(([name, work]) => ({
    name,
    workflow: dbos.registerWorkflow((): Promise<void> => dbos.runStep(work, { name }), {
      name,
    }),
  }));
  await dbos.launch();
  await dbos.registerQueue(queueName, { partitionConcurrency: 1, workerConcurrency });
  return {
    enqueue: async ({ id, workspaceId }, priority) => {
      await dbos.startWorkflow(carryOut, {
        workflowID: id,
        queueName,
        enqueueOptions: {
          queuePartitionKey: workspaceId,
          ...(priority === 'low' && { priority: lowPriority }),
        },
      })(id);
    },
    cancel: async (runId) => {
      const status = await dbos.getWorkflowStatus(runId);
      // The step of one that runs would go on, while the next of its workspace began.
      if (status?.status === 'ENQUEUED') await dbos.cancelWorkflow(runId);
    },
    schedule: async (name, schedule) => {
      const found = scheduled.find((one) => one.name === name);
      if (!found) return;
      const { workflow: workflowFn } = found;
      await dbos.applySchedules([{ scheduleName: name, workflowFn, schedule }]);
    },
    list: () => listQueued(dbos),
    recover: (workerId) => recover(dbos, workerId),
    forget: (endedBefore, limit) => forget(dbos, endedBefore, limit),
    close: (patienceMs) =>
      dbos.shutdown({ deregister: true, workflowCompletionTimeoutMS: patienceMs }),
  };
}

async function listQueued(dbos: typeof DBOS): ReturnType<Engine['list']> {
  const waiting = await dbos.listWorkflows({ queueName, status: 'ENQUEUED' });
  const ordered = waiting.toSorted((left, right) => left.priority - right.priority);
  return ordered.map(({ workflowID, queuePartitionKey = '' }) => ({
    id: workflowID,
    workspaceId: queuePartitionKey,
  }));
}

async function recover(dbos: typeof DBOS, workerId: string): Promise<readonly string[]> {
  const begun = await dbos.listWorkflows({
    executorId: workerId,
    status: 'PENDING',
    queueName,
  });
  const ids = begun.map(({ workflowID }) => workflowID);
  if (ids.length > 0) await dbos.resumeWorkflows(ids, { queueName });
  return ids;
}

async function forget(dbos: typeof DBOS, endedBefore: Date, limit: number): Promise<number> {
  const ended = await dbos.listWorkflows({
    status: ['SUCCESS', 'ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'],
    completedBefore: endedBefore.toISOString(),
    ...{ limit, loadInput: false, loadOutput: false },
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
