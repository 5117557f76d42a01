// What an apply asks before it changes anything, and what the program ends with, however that goes.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DayTwoWorld } from '../support/day-two.ts';

let world: DayTwoWorld;
beforeEach(async () => {
  world = await DayTwoWorld.open();
});
afterEach(() => world.close());

describe('an apply', () => {
  test.each([
    ['that nobody answers', []],
    ['that is answered with y', ['y']],
    ['that is answered with an empty line', ['']],
  ])('%s changes nothing, and ends with 1', async (_what, answers) => {
    const { code, writes, stderr } = await world.run(['apply'], { answers });
    expect({ code, writes }).toEqual({ code: 1, writes: [] });
    expect(stderr).toContain('Apply cancelled.');
  });

  test('that is answered with yes is carried out', async () => {
    const { code, writes } = await world.run(['apply'], { answers: ['yes'] });
    expect({ code, writes: writes.length }).toEqual({ code: 0, writes: 1 });
  });

  test('of which a change fails ends with 1', async () => {
    const { code } = await world.run(['apply', '--auto-approve'], {
      meddle: (request, pass) =>
        request.method === 'POST' ? Promise.resolve(new Response(null, { status: 422 })) : pass(),
    });
    expect(code).toBe(1);
  });

  test('that is interrupted ends with 130, and sends nothing more', async () => {
    const { code, writes } = await world.run(['apply', '--auto-approve'], {
      interruptAt: /planned: Creating/,
    });
    expect({ code, writes }).toEqual({ code: 130, writes: [] });
  });

  test('that is written as events asks nothing', async () => {
    const { code, writes, stdout } = await world.run(['apply', '--json'], { answers: ['yes'] });
    expect({ code, writes }).toEqual({ code: 1, writes: [] });
    expect(stdout).toContain('approval-needed');
  });
});

describe('a plan', () => {
  test('with changes ends with 2 where that is asked for, and else with 0', async () => {
    expect((await world.run(['plan'])).code).toBe(0);
    expect((await world.run(['plan', '--detailed-exitcode'])).code).toBe(2);
  });

  test('without changes ends with 0 in any case', async () => {
    await world.run(['apply', '--auto-approve']);
    expect((await world.run(['plan', '--detailed-exitcode'])).code).toBe(0);
  });

  test('of a configuration with a fault ends with 1', async () => {
    await writeFile(join(world.directory, 'more.yaml'), 'projects: { shop: { nets: {} } }\n');
    expect((await world.run(['plan', '--detailed-exitcode'])).code).toBe(1);
  });
});
