import { tmpdir } from 'node:os';
import { kept, ReadyLine } from './ready-line.ts';
import { makeServerDatabase } from './server-database.ts';
import type { RigMeans, StartRigProgram } from './server-rig.ts';
import { startInProcess } from './start-in-process.ts';

const start: StartRigProgram = async (args, env) => {
  let complaints = '';
  let take: (text: string) => void = () => undefined;
  const program = startInProcess({
    ...{ args, cwd: tmpdir(), env: { ...kept(), ...env } },
    onOutput: (text) => take(text),
    onError: (text) => (complaints += text),
  });
  const { ended, interrupt, kill } = program;
  const line = new ReadyLine(args, ended, () => complaints);
  take = (text) => line.take(text);
  return {
    ...{ pid: process.pid, ready: await line.ready, complaints: () => complaints, ended },
    stop: async (signal) => {
      interrupt();
      if (signal === 'SIGKILL') kill();
      await ended;
    },
  };
};

/** The program in this process, on a database whose tables are made: where processes are not the point. */
export const inProcess: RigMeans = { openDatabase: makeServerDatabase, start };
