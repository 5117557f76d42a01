import { AnswerError } from './answer-faults.ts';
import type { StateServer } from './state-server.ts';

/**
 * Tells whether the server accepts a write with the ID of a released lock while nobody holds one. It writes the stored
 * document once more, so nothing changes. @throws BackendError where nobody answers
 */
export async function takesLateWrite(server: StateServer, lockId: string): Promise<boolean> {
  const text = await server.get();
  if (text === undefined) return false;
  try {
    return (await server.post(text, lockId)).kind === 'done';
  } catch (error) {
    // Some servers answer otherwise than with 409 where there is no such lock.
    if (error instanceof AnswerError) return false;
    throw error;
  }
}
