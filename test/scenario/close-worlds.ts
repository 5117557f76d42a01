// Closes the worlds of a test when it ends: their databases, emptied, serve the next ones.
import { afterEach } from 'vitest';
import { worldWatcher } from './world-watcher.ts';

const sandboxes: { close(): void }[] = [];
worldWatcher.onOpen = ({ sandbox }) => sandboxes.push(sandbox);

afterEach(() => {
  for (const sandbox of sandboxes.splice(0)) sandbox.close();
});
