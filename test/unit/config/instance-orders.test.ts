import { expect, it } from 'vitest';
import { loadFiles } from './load.ts';

async function load(use: string): Promise<string> {
  const { configuration, diagnostics } = await loadFiles({
    'a.yaml': `version: 1\nvariables: { all: { default: [dev, prod] }, wait: { default: 90s } }\nmodules: { a: { source: ./m, ${use} } }\n`,
    'm/m.yaml': 'outputs: { one: { value: 1 } }\n',
  });
  const faults = diagnostics.map(({ code, summary, hint, source }) => {
    return `${source?.column}: ${code}: ${summary}. ${hint}`;
  });
  const orders = (configuration?.graph.instanceOrders ?? []).map(
    ({ instances, needsChecks, waitMs }) =>
      `${instances.join()} ${waitMs / 1_000}s${needsChecks ? ' checks' : ''}`,
  );
  return [...faults, ...orders].join('\n');
}

const two = 'modules.a["prod"],modules.a["dev"]';

it.each(
  // prettier-ignore
  [
    ['', ''],
    ['forEach: [dev, prod], rollout: { order: [prod, dev] }', `${two} 0s`],
    ['forEach: [dev, prod], rollout: { order: [prod, dev], between: { checks: true, wait: 10m } }', `${two} 600s checks`],
    ['forEach: "${var.all}", rollout: { order: "${[\'prod\', \'dev\']}", between: { wait: "${var.wait}" } }', `${two} 90s`],
    ['forEach: [dev, prod], enabled: false, rollout: { order: [prod, dev] }', `${two} 0s`],
    ['forEach: "${projects.q.vms}", rollout: { order: [prod] }', /^(?!.*incomplete-order)/],
    ['forEach: [dev, prod], rollout: { order: [dev] }', /incomplete-order: The order of modules.a lacks `prod`. Add/],
    ['forEach: [dev, prod], rollout: { order: [dev, prodd, prod, qa] }', /has `prodd`, and `forEach` does not. Remove it.\n.*has `qa`/],
    ['forEach: [dev, prod], rollout: { order: [dev, prodd] }', /lacks `prod`[^]*Did you mean `prod`/],
    ['forEach: [], rollout: { order: [dev] }', /incomplete-order/],
    ['forEach: [dev], rollout: { order: [dev, dev] }', /duplicate|unique|twice/],
    ['forEach: [dev], rollout: { order: "${[1]}" }', /wrong-type/],
    ['count: 2, rollout: { order: [dev] }', /conflicting-fields/],
    ['rollout: { order: [dev] }', /no meaning without `forEach`/],
    ['forEach: [dev], rollout: {}', /missing-key/],
    ['forEach: [dev], rollout: { order: [dev], between: { wait: 200h } }', /out-of-range/],
  ],
)('%s', async (use, expected) => {
  expect(await load(use)).toEqual(
    typeof expected === 'string' ? expected : expect.stringMatching(expected),
  );
});
