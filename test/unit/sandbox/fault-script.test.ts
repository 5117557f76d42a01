import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import { DiagnosticError } from '../../../src/model/errors.ts';
import { InjectedFaultDecider } from '../../../src/sandbox/faults/fault-desk.ts';
import {
  findContractOperation,
  isPathPatternMatch,
} from '../../../src/sandbox/faults/match-condition.ts';
import { parseFaultScript } from '../../../src/sandbox/faults/parse-script.ts';
import { readFaultScript } from '../../../src/sandbox/faults/read-script.ts';
import { readRows } from '../../support/read-rows.ts';

async function diagnose(text: string): Promise<readonly Diagnostic[]> {
  try {
    await readFaultScript(text, 'faults.yaml');
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics;
    throw error;
  }
  return [];
}

describe('a fault script', () => {
  it.each([
    [[], 'which has none'],
    [
      Array.from({ length: 23 }, (_, index) => ({ id: `i${index}`, name: `n${index}` })),
      'n19 and 3 more',
    ],
  ])('names sizes of the account: %#', (sizes, words) => {
    const script = (configuration: string) => ({
      rules: [{ then: { capacity: { configuration } } }],
    });
    expect(() => parseFaultScript(script('x'), sizes)).toThrow(words);
    for (const name of sizes.length > 0 ? ['n7', 'i7'] : []) {
      const [rule] = parseFaultScript(script(name), sizes).rules;
      expect(rule?.then).toEqual({ kind: 'capacity', configurationId: 'i7', left: 0 });
    }
    const [early] = parseFaultScript(script('x'), 'any').rules;
    expect(early?.then).toMatchObject({ configurationId: 'x' });
  });

  it.each(
    readRows(`
    [] | the file must be a map | 1:1
    rule: [] | rule is not a valid key; valid keys: seed, rules, edits | 1:1
    seed: -1 | seed must be a whole number of 0 or more | 1:7
    rules: 5 | rules must be a list | 1:8
    rules: [5] | rules[0] must be a map | 1:9
    rules: [{ when: {} }] | rules[0] needs a then | 1:9
    rules: [{ then: {} }] | rules[0].then must hold one of drop, hang, answer | 1:17
    rules: [{ then: { drop: before, delay: 1s } }] | rules[0].then must hold one of | 1:17
    rules: [{ then: { drop: now } }] | rules[0].then.drop must be one of before, after | 1:25
    rules: [{ then: { delay: 5 } }] | must be a duration such as 500ms, 2s or 5m | 1:26
    rules: [{ then: { fail: Internal } }] | must be one of insufficientCapacity, timeout, internal | 1:25
    rules: [{ then: { slow: 0 } }] | rules[0].then.slow must be a number of 1 or more | 1:25
    rules: [{ then: { answer: {} } }] | rules[0].then.answer needs a status | 1:27
    rules: [{ then: { answer: { status: 99 } } }] | must be a whole number from 200 to 599 | 1:37
    rules: [{ then: { answer: { status: 500, headers: { "a b": x } } } }] | is not the name of a header | 1:53
    rules: [{ then: { answer: { status: 500, headers: { a: [] } } } }] | must be a text of one line | 1:56
    rules: [{ then: { capacity: { configuration: big } } }] | is no size of the account, which has c1-r1-d20, c1-r2-d20 | 1:46
    rules: [{ then: { capacity: { left: 1 } } }] | rules[0].then.capacity needs a configuration | 1:29
    rules: [{ when: { operation: vms }, then: hang }] | is no operation of the contract: vms | 1:30
    rules: [{ when: { method: get }, then: hang }] | must be one of GET, POST | 1:27
    rules: [{ when: { path: vms }, then: hang }] | must start with / | 1:25
    rules: [{ when: { nth: [1, 0] }, then: hang }] | must be a whole number of 1 or more | 1:24
    rules: [{ when: { probability: 1.5 }, then: hang }] | must be a number from 0 to 1 | 1:32
    rules: [{ name: a, then: hang }, { name: a, then: hang }] | is the name of another rule too | 1:42
    rules: [{ when: { operation: listVms, method: POST }, then: hang }] | rules[0].when.method matches no operation | 1:47
    rules: [{ when: { path: /projects/*/machines }, then: hang }] | rules[0].when.path matches no operation | 1:25
    rules: [{ when: { operation: createVm, path: /projects/*/networks/** }, then: hang }] | rules[0].when.path matches no operation | 1:46
    rules: [{ when: { operation: listVms }, then: { slow: 2 } }] | rules[0].then.slow does nothing: listVms starts no operation | 1:55
    rules: [{ when: { method: GET }, then: { fail: internal } }] | rules[0].then.fail does nothing: those of \`when\` start no operation | 1:48
    rules: [{ when: { operation: [listVms, getVm] }, then: { capacity: { configuration: c2-r4-d40 } } }] | rules[0].then.capacity does nothing: listVms, getVm order no VM | 1:68
    rules: [{ when: { nth: [1, 3], every: 2 }, then: hang }] | nth never strikes | 1:24
    rules: [{ when: { nth: [1, 3], every: 2 }, then: { slow: 2 } }] | nth never strikes | 1:24
    rules: [{ when: { after: 2s, until: 2s }, then: { fail: internal } }] | until never strikes | 1:37
    rules: [{ when: { after: 2s, until: 2s }, then: hang }] | until never strikes | 1:37
    edits: [{ at: 1s }] | edits[0] needs a do | 1:9
    edits: [{ do: stopVm, on: { project: p } }] | edits[0].on needs a vm | 1:27
    edits: [{ do: stopVm, on: { machine: p } }] | edits[0].on.machine is not a valid key | 1:29
    edits: [{ do: createProject, keepsTrying: yes please }] | must be true or false | 1:43
    rules: [ | The fault script is not YAML or JSON | 1:9
  `),
  )('%s: %s', async (text, summary, place) => {
    const found = await diagnose(text);
    const diagnostic = found.find((one) => one.summary.includes(summary));
    expect(found.map((one) => one.summary).join('\n')).toContain(summary);
    const { line, column, file } = diagnostic?.source ?? {};
    expect([file, `${line ?? ''}:${column ?? ''}`]).toEqual(['faults.yaml', place]);
  });

  it('reports everything at once', async () =>
    expect(await diagnose('seed: x\nrules: [{}, { then: { slow: no } }]')).toHaveLength(3));

  it.each([
    '{ path: /projects/** }',
    '{ path: /**, method: POST }',
    '{ path: /projects/prj-*/vms }',
    '{ path: "/projects/{any}/vms/{vmId}", method: DELETE }',
    '{ nth: [1, 4], every: 2 }',
    '{ operation: createVm }',
  ])('takes what can happen: %s', async (when) =>
    expect(await diagnose(`rules: [{ when: ${when}, then: { slow: 2 } }]`)).toEqual([]),
  );

  it('may be empty', async () =>
    expect(await readFaultScript('', 'x')).toEqual({ rules: [], edits: [] }));

  const folder = new URL('../../../examples/faults/', import.meta.url);
  const examples = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  it.each(examples)('examples/faults/%s can be used', async (name) => {
    const script = await readFaultScript(readFileSync(new URL(name, folder), 'utf8'), name);
    expect(script.rules.length + script.edits.length).toBeGreaterThan(0);
  });
});

describe('a path', () => {
  it.each([
    ['/projects', '/projects', true],
    ['/projects/*', '/projects/p1', true],
    ['/projects/*', '/projects/p1/vms', false],
    ['/projects/{projectId}/vms', '/projects/p1/vms', true],
    ['/projects/**', '/projects', true],
    ['/projects/**', '/projects/p1/vms/v1', true],
    ['/projects/**', '/projectsX', false],
    ['/**', '/limits', true],
    ['/lim*', '/limits', true],
    ['/a.b', '/aXb', false],
  ])('%s fits %s: %s', (pattern, path, fits) =>
    expect(isPathPatternMatch(pattern, path)).toBe(fits),
  );

  it('belongs to the operation that the router gives it', () => {
    expect(findContractOperation('GET', '/projects/p1/vms/state-counts')).toBe('getVmStateCounts');
    expect(findContractOperation('GET', '/projects/p1/vms/v1')).toBe('getVm');
    expect(findContractOperation('GET', '/notifications/unread-count')).toBe(
      'getUnreadNotificationCount',
    );
    expect(findContractOperation('PATCH', '/projects/p1')).toBeUndefined();
  });
});

describe('rules', () => {
  /** Which of so many requests a rule strikes, counted from 1. */
  function struck(when: object, requests = 12, seed = 1, more: object[] = []): number[] {
    const script = parseFaultScript({ rules: [...more, { name: 'it', when, then: 'drop' }] });
    const desk = new InjectedFaultDecider(script, seed, 0);
    return Array.from({ length: requests }, (_, index) => index + 1).filter((count) =>
      desk.meet('GET', '/projects', count * 1000).struck.includes('it'),
    );
  }

  it.each([
    [{}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    [{ nth: 3 }, [3]],
    [{ nth: [2, 5] }, [2, 5]],
    [{ every: 5 }, [5, 10]],
    [{ times: 2 }, [1, 2]],
    [{ every: 3, times: 2 }, [3, 6]],
    [{ after: '10s' }, [10, 11, 12]],
    [{ until: '3s' }, [1, 2]],
    [{ after: '4s', nth: 2 }, [5]],
    [{ operation: 'listProjects', nth: 1 }, [1]],
    [{ operation: ['listVms', 'getVm'] }, []],
    [{ method: 'POST' }, []],
    [{ path: '/projects/**', nth: 1 }, [1]],
    [{ probability: 0 }, []],
  ])('with %j strike %j', (when, expected) => expect(struck(when)).toEqual(expected));

  it('by chance are as frequent as they say, and repeat with the seed alone', () => {
    const hits = struck({ probability: 0.2 }, 2000);
    expect(hits.length).toBeGreaterThan(320);
    expect(hits.length).toBeLessThan(480);
    expect(struck({ probability: 0.2 }, 2000)).toEqual(hits);
    expect(struck({ probability: 0.2 }, 2000, 2)).not.toEqual(hits);
  });

  it('join: delays add up, slowness multiplies, the first ending counts', () => {
    const rules = [
      { then: { delay: '1s' } },
      { then: { slow: 2 } },
      { then: { delay: '500ms' } },
      { then: { slow: 3 } },
      { then: { drop: 'after' } },
      { then: { hang: 'before' } },
      { then: { fail: 'timeout' } },
    ];
    const desk = new InjectedFaultDecider(parseFaultScript({ rules }), 1, 0);
    expect(desk.meet('GET', '/limits', 0)).toMatchObject({
      delayMs: 1500,
      ending: { kind: 'drop', moment: 'after' },
      outcome: { slowness: 6, failureCode: 'timeout' },
    });
  });
});
