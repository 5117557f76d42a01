// Closes the worlds of a test when it ends: their databases, emptied, serve the next ones.
import { afterEach } from 'vitest';
import { World } from './world.ts';

const opened: World[] = [];
World.onOpen = (world) => opened.push(world);

afterEach(() => {
  for (const world of opened.splice(0)) world.sandbox.close();
});
