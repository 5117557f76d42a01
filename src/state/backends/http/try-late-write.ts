import { AnswerError } from './answer-faults.ts';
import type { StateServer } from './state-server.ts';

/**
 * True where the server takes a write with the ID of a lock that was released, while nobody holds one. What is written is what
 * is there, so nothing changes. @throws BackendError where nobody answers
 */
export async function takesLateWrite(server: StateServer, lockId: string): Promise<boolean> {
  const text = await server.get();
  if (text === undefined) return false;
  try {
    return (await server.post(text, lockId)).kind === 'done';
  } catch (error) {
    // Not every server says with 409 that there is no such lock.
    if (error instanceof AnswerError) return false;
    throw error;
  }
}
