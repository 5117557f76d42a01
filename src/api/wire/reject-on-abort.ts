/** Rejects once the signal is aborted: for a wait that does not listen to it, as a body that never ends. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(new Error('broken off'));
    // It may have been stopped while `fetch` was being called.
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
