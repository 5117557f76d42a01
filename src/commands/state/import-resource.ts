import { kinds } from '../../kinds/registry.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Address } from '../../model/address.ts';
import type { DesiredGraph, DesiredResource } from '../../model/resource.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import { suggest } from '../../model/text/suggest.ts';
import { beginRun } from '../../engine/begin-run.ts';
import { orderPlain } from '../../engine/plan-order.ts';
import { dropSecrets } from '../../engine/sinks.ts';
import { makePlan, type Planned } from '../../engine/make-plan.ts';
import { completeConfiguration } from '../planning/read-data.ts';
import { refuse } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { openSession } from '../session/session.ts';

/** Options of `import`. */
export interface ImportOptions {
  readonly address: Address;
  /** Id of the resource at the service. */
  readonly id: string;
  readonly lockTimeoutMs: number;
}

/**
 * Adopts one live resource for a configured address: it is recorded in the state as it is. Nothing in the account changes;
 * the next plan shows the differences.
 * @throws DiagnosticError when there is no such resource, or when it is managed already
 */
export async function importResource(
  runtime: SessionRuntime,
  { address, id, lockTimeoutMs }: ImportOptions,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<void> {
  const options = { directory: '.', lockTimeoutMs };
  const purpose = { operation: 'import', access: 'write' } as const;
  const session = await openSession(runtime, options, purpose, reporter);
  try {
    const { store, connection } = session;
    const whole = await completeConfiguration(session.configuration, connection.client, reporter);
    const { configuration } = whole;
    const { kind, source } = requireConfigured(configuration.graph, address);
    const desired = {
      ...configuration.graph,
      imports: [{ to: address, id, isAsLive: true as const, source }],
    };
    const { state } = store;
    const { clock } = runtime;
    const planned = await makePlan(
      { state, connection, clock, sinks: dropSecrets('import') },
      // This plan is not applied: obstacles to an apply, such as commands to allow, do not matter.
      orderPlain('apply', desired, configuration.steps),
      { source: whole.source },
    );
    const resource = takeImported(planned, { address, id, label: kinds[kind].label });
    await beginRun(store, connection, clock);
    await store.record({ kind: 'rearranged', removed: [], resources: [resource] });
    await store.compact();
  } finally {
    await session.close();
  }
}

function requireConfigured({ resources }: DesiredGraph, address: Address): DesiredResource {
  const found = resources.find((one) => one.address === address);
  if (found && kinds[found.kind].traits.permanent) {
    throw refuse('import-needless', `${address} exists in every account: it needs no import`, {
      hint: 'Apply to manage it.',
    });
  }
  if (found) return found;
  const near = suggest(
    address,
    resources.map((one) => one.address),
  );
  throw refuse('not-configured', `The configuration has no ${address}`, {
    detail: 'A resource is adopted for a block that describes it.',
    hint: near === undefined ? 'Write its block first, then import it.' : `Did you mean ${near}?`,
  });
}

/** The resource to adopt, and the noun of its kind. */
interface Wanted extends Pick<ImportOptions, 'address' | 'id'> {
  readonly label: string;
}

/** The state entry of the adopted resource, with its live attributes. */
function takeImported({ plan, known }: Planned, { address, id, label }: Wanted) {
  const resource = known.resources.get(address);
  const change = plan.changes.find((one) => one.address === address);
  const faults = plan.findings.filter(
    (one) =>
      one.code === 'nothing-of-state-live' ||
      (one.code.startsWith('import-') &&
        one.address === address &&
        one.code !== 'import-would-destroy'),
  );
  if (faults.length > 0) throw new DiagnosticError(faults);
  if (resource?.id !== id) {
    throw resource
      ? refuse('already-managed', `${address} is in the state already, as ${resource.id}`, {
          hint: `To import another ${label} at this address, take this one out of the state first: hostwright state rm '${address}'.`,
        })
      : refuse('import-not-found', `The account has no ${label} with the id ${id}`, {
          hint: 'Give the id of one that exists in the project of this address.',
        });
  }
  if (!change?.isImported) {
    throw refuse('already-managed', `${address} is in the state already, as ${id}`, {
      hint: 'Continue with "hostwright plan": there is nothing to import.',
    });
  }
  return { ...resource, attributes: change.before ?? {} };
}
