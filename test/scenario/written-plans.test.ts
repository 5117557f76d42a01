// A plan without errors applies, whatever it is written with: blocks that are repeated, nested and switched off, references as
// expressions, and values that are unknown within lists and maps.
import { fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { loadText } from '../unit/config/load.ts';
import { countRuns, readBudget } from '../support/budget/budget.ts';
import { describeFailures, findViolations, World } from './world.ts';

/** A block is there once, not at all, or several times by numbers or keys. */
type Repetition = 'one' | 'off' | 'count0' | 'count2' | 'keysA' | 'keysAB' | 'map' | 'fromVariable';

const written: Readonly<Record<Repetition, string>> = {
  one: 'enabled: "${size(var.keys) < 9}"',
  off: 'enabled: "${size(var.keys) > 9}"',
  count0: 'count: 0',
  count2: 'count: 2',
  keysA: 'forEach: [a]',
  keysAB: 'forEach: [b, a]',
  map: 'forEach: { a: 1, c: 2 }',
  fromVariable: 'forEach: "${var.keys}"',
};

/** The local keys of the instances. */
const instances: Readonly<Record<Repetition, readonly string[]>> = {
  one: [''],
  off: [],
  count0: [],
  count2: ['[0]', '[1]'],
  keysA: ['["a"]'],
  keysAB: ['["b"]', '["a"]'],
  map: ['["a"]', '["c"]'],
  fromVariable: ['["x"]', '["ü y"]'],
};

interface Drawn {
  readonly projects: Repetition;
  readonly networks: Repetition;
  readonly ips: Repetition;
  readonly forwards: Repetition;
  readonly vms: Repetition;
  /** How a VM names its networks, and a forward its VM. */
  readonly isByExpression: boolean;
  /** What a network is called after something that is only known after the apply, beside something known. */
  readonly isLate: boolean;
  readonly hasDefaults: boolean;
}

const anyRepetition = fc.constantFrom(...(Object.keys(written) as Repetition[]));
const anyDrawn: fc.Arbitrary<Drawn> = fc.record({
  projects: anyRepetition,
  networks: anyRepetition,
  ips: anyRepetition,
  forwards: anyRepetition,
  vms: anyRepetition,
  isByExpression: fc.boolean(),
  isLate: fc.boolean(),
  hasDefaults: fc.boolean(),
});

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** How a block of the project `p` refers to another one of it. */
function refer(drawn: Drawn, collection: string, local: string): string {
  if (!drawn.isByExpression) return quote(local);
  // Within a project that is repeated, the instance is not at hand: keys are.
  const isOne = drawn.projects === 'one';
  return quote(isOne ? `\${projects.p.${collection}.${local}}` : `\${${JSON.stringify(local)}}`);
}

function write(drawn: Drawn): string {
  const [network] = instances[drawn.networks].map((key) => `n${key}`);
  const [ip] = instances[drawn.ips].map((key) => `ip${key}`);
  const vm = instances[drawn.vms].map((key) => `w${key}`)[0];
  const number = { count2: '${8000 + each.index}', map: '${8000 + each.value}', keysA: '${8000}' }[
    drawn.forwards as string
  ];
  // Ports differ where their forwards do, and a forward needs a VM.
  const hasForwards = vm !== undefined && (number !== undefined || drawn.forwards === 'one');
  const forward = `{ ${written[drawn.forwards]}, protocol: tcp, publicPort: ${quote(number ?? '${8000}')}, vm: ${refer(drawn, 'vms', vm ?? '')}, vmPort: 80 }`;
  const uses = [
    ...(network === undefined ? [] : [`networks: [${refer(drawn, 'networks', network)}]`]),
    ...(ip === undefined || instances[drawn.vms].length > 1
      ? []
      : [`publicIp: ${refer(drawn, 'publicIps', ip)}`]),
  ];
  const size = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly';
  const late = "${[var.keys[0], local.late.id, 'z'][0] + string(size(local.late))}";
  return `version: 1
variables: { keys: { type: list(string), default: [x, "ü y"] } }
locals: { late: { id: '\${projects.other.id}', name: known } }
${drawn.hasDefaults ? `defaults: { vms: { ${size} } }` : ''}
projects:
  other: { networks: { ${drawn.isLate ? `late: { name: ${quote(late)}, enabled: "\${'id' in local.late}" }` : ''} } }
  p:
    ${written[drawn.projects]}
    networks: { n: { ${written[drawn.networks]} } }
    publicIps: { ip: { ${written[drawn.ips]}, forwards: { ${hasForwards ? `f: ${forward}` : ''} } } }
    vms: { w: { ${[written[drawn.vms], ...(drawn.hasDefaults ? [] : [size]), ...uses].join(', ')} } }
outputs:
  names: { value: '\${values(local.late)}' }
`;
}

async function read(drawn: Drawn) {
  const text = write(drawn);
  const { configuration, diagnostics } = await loadText(text);
  expect(diagnostics, text).toEqual([]);
  if (!configuration) throw new Error(text);
  return configuration.graph;
}

const runs = countRuns(400, { short: 5, ci: 20 });

test(`${runs} configurations with repeated blocks apply`, { timeout: 1_800_000 }, async () => {
  let applied = 0;
  const property = fc.asyncProperty(anyDrawn, anyDrawn, async (first, second) => {
    const world = await World.open();
    try {
      for (const drawn of [first, second]) {
        const desired = await read(drawn);
        const end = await world.apply(desired);
        if (end.kind === 'refused') return;
        expect(describeFailures(end)).toEqual([]);
        expect(await findViolations(world, desired)).toEqual([]);
      }
      applied += 1;
      await world.apply(await read(second), { mode: 'destroy' });
      expect(await world.readAccount()).toEqual([]);
    } finally {
      world.sandbox.close();
    }
  });
  await fc.assert(property, { numRuns: runs });
  // One example, which is asked for, says nothing of the others.
  if (readBudget().path === undefined) expect(applied).toBeGreaterThan(runs < 12 ? 0 : runs / 2);
});
