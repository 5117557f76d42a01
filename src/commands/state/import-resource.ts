import { kindRegistry } from '../../kinds/registry.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { LiveResource } from '../../model/account/live.ts';
import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';
import { isProject, type KindName } from '../../model/kind-places.ts';
import type { DesiredGraph, DesiredResource } from '../../model/resource.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import { beginRun } from '../../engine/begin-run.ts';
import { makeDefaultPlanParameters } from '../../engine/plan-order.ts';
import { makeDiscardingSecretSinks } from '../../engine/sinks.ts';
import { makePlan, type PlanWithSources } from '../../engine/make-plan.ts';
import { resolveConfigurationData } from '../planning/read-data.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { openConfigurationSession } from '../session/session.ts';

/** Options of `import`. */
export interface ImportResourceOptions {
  readonly address: ResourceAddress;
  /** Name of the resource at the service, or its id there. */
  readonly word: string;
  readonly lockTimeoutMs: number;
}

/**
 * Adopts one live resource for a configured address: it is recorded in the state as it is. Nothing in the account changes;
 * the next plan shows the differences.
 * @throws DiagnosticError when there is no such resource, or when it is managed already
 */
export async function importResource(
  runtime: SessionRuntime,
  { address, word, lockTimeoutMs }: ImportResourceOptions,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<void> {
  const options = { directory: '.', lockTimeoutMs };
  const purpose = { operation: 'import', access: 'write' } as const;
  const session = await openConfigurationSession(runtime, options, purpose, reporter);
  try {
    const { store, connection } = session;
    const whole = await resolveConfigurationData(
      session.configuration,
      connection.client,
      reporter,
    );
    const { configuration } = whole;
    const { kind, source } = requireConfigured(configuration.graph, address);
    const { state } = store;
    const { clock } = runtime;
    const planImport = (id: string) =>
      makePlan(
        { state, connection, clock, sinks: makeDiscardingSecretSinks('import') },
        // The plan of an import is not applied: obstacles to an apply, such as commands to allow, do not matter.
        makeDefaultPlanParameters(
          'apply',
          {
            ...configuration.graph,
            imports: [{ to: address, id, isAsLive: true as const, source }],
          },
          configuration.steps,
        ),
        { source: whole.source },
      );
    const first = await planImport(word);
    const id = findNamed(first, { address, word, kind });
    const planned = id === word ? first : await planImport(id);
    const resource = takeImported(planned, { address, id, label: kindRegistry[kind].label });
    await beginRun(store, connection, clock);
    await store.record({ kind: 'rearranged', removed: [], resources: [resource] });
    await store.compact();
  } finally {
    await session.close();
  }
}

function requireConfigured({ resources }: DesiredGraph, address: ResourceAddress): DesiredResource {
  const found = resources.find((one) => one.address === address);
  if (found && kindRegistry[found.kind].traits.permanent) {
    throw createCommandRefusal(
      'import-needless',
      `${address} exists in every account: it needs no import`,
      {
        hint: 'Apply to manage it.',
      },
    );
  }
  if (found) return found;
  const near = suggestNearestName(
    address,
    resources.map((one) => one.address),
  );
  throw createCommandRefusal('not-configured', `The configuration has no ${address}`, {
    detail: 'A resource is adopted for a block that describes it.',
    hint: near === undefined ? 'Write its block first, then import it.' : `Did you mean ${near}?`,
  });
}

/**
 * The id that a word means: that of the resource of this name. @throws DiagnosticError where several have the name, or one of
 * them and the id of another
 */
function findNamed(
  { live, known }: Pick<PlanWithSources, 'live' | 'known'>,
  {
    address,
    word,
    kind,
  }: { readonly address: ResourceAddress; readonly word: string; readonly kind: KindName },
): string {
  const { project } = parseResourceAddress(address) ?? {};
  const projectId = project === undefined ? undefined : known.resources.get(project)?.id;
  const all = [...live.projects, ...live.resources].filter(
    (one) =>
      one.kind === kind &&
      (projectId === undefined || isProject(kind) || one.projectId === projectId),
  );
  const isNamed = (one: LiveResource) => 'name' in one && one.name === word;
  const meant = all.filter((one) => one.id === word || isNamed(one));
  const [only] = meant;
  if (meant.length < 2) return only?.id ?? word;
  // The id of this resource is also the name of another one: only its own name still means it alone.
  const hidden = meant.find(({ id }) => id === word);
  throw createCommandRefusal(
    'import-ambiguous',
    `${formatCountWithNoun(kindRegistry[kind].label, meant.length)} can be meant by ${word}`,
    {
      detail: `Their ids are ${formatNameList(
        meant.map(({ id }) => id),
        5,
      )}.`,
      hint:
        hidden && 'name' in hidden
          ? `Give the id of another one, or the name "${hidden.name}" for ${word}.`
          : 'Give the id of the one that you mean.',
    },
  );
}

/** The resource to import, with the noun of its kind for messages. */
interface Wanted extends Pick<ImportResourceOptions, 'address'> {
  readonly id: string;
  readonly label: string;
}

/** The state entry of the adopted resource, with its live attributes. */
function takeImported({ plan, known }: PlanWithSources, { address, id, label }: Wanted) {
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
      ? createCommandRefusal(
          'already-managed',
          `${address} is in the state already, as ${resource.id}`,
          {
            hint: `To import another ${label} at this address, take this one out of the state first: hostwright state rm '${address}'.`,
          },
        )
      : createCommandRefusal(
          'import-not-found',
          `The account has no ${label} with the name or the id ${id}`,
          {
            hint: 'Give the name or the id of one that exists in the project of this address.',
          },
        );
  }
  if (!change?.isImported) {
    throw createCommandRefusal('already-managed', `${address} is in the state already, as ${id}`, {
      hint: 'Continue with "hostwright plan": there is nothing to import.',
    });
  }
  return { ...resource, attributes: change.before ?? {} };
}
