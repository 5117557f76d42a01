import { Worker } from 'node:worker_threads';
import type { Thread } from '../model/runtime.ts';

/**
 * Starts a worker thread of Node that runs a file of the program. It answers each message with one message, in the order of
 * sending.
 */
export function openThread(file: URL): Thread {
  const worker = new Worker(file);
  const waiting: { resolve: (answer: unknown) => void; reject: (error: unknown) => void }[] = [];
  const fail = (error: unknown) => {
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  worker.on('message', (answer: unknown) => waiting.shift()?.resolve(answer));
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`A thread ended with ${code}.`)));
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        worker.postMessage(message);
      }),
    async close() {
      waiting.splice(0);
      await worker.terminate();
    },
  };
}
