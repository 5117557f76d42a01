// A thread of the process: it runs the tests that it is handed, and answers each with its result.
import { parentPort } from 'node:worker_threads';
import { openProcessClock } from './clock.ts';
import { runTestJob, type TestJob } from '../commands/test/run-job.ts';

const clock = openProcessClock();

parentPort?.on('message', (job: TestJob) => {
  // A rejection is a bug: it ends the thread, and whoever opened the thread reports it.
  void runTestJob({ clock }, job).then((result) => parentPort?.postMessage(result));
});
