/** Rejects once the signal is aborted: for a wait that does not listen to it, as a body that never ends. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(new Error('broken off'));
    // The signal may have been aborted while `fetch` was being called, before anyone listened.
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
