import { GitHostFault } from './host-fault.ts';
import { RunFault } from '../errors/run-fault.ts';
import { RepositoryError } from '../../modules/repository-error.ts';

const firstMs = 1_000;
const longestMs = 15 * 60_000;
/** The most attempts of a failed task: with the delays above, about eight hours. */
const mostAttempts = 40;

/**
 * Milliseconds after which a failed task is tried again; undefined where it is given up, as it cannot succeed or was tried for a
 * night. `attempts` counts from 1.
 */
export function findRetryDelay(error: unknown, attempts: number): number | undefined {
  const isFinal =
    (error instanceof GitHostFault && !error.isPassing) ||
    error instanceof RunFault ||
    error instanceof RepositoryError;
  if (isFinal || attempts >= mostAttempts) return undefined;
  const wanted = error instanceof GitHostFault ? error.retryAfterMs : 0;
  return Math.max(Math.min(firstMs * 2 ** (attempts - 1), longestMs), Math.min(wanted, longestMs));
}
