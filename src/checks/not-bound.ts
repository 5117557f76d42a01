import { kindRegistry } from '../kinds/registry.ts';
import { commandSubjects } from '../model/account/command.ts';
import type { MissingServiceOperation } from '../model/account/service-gaps.ts';
import type { ResourceAddress } from '../model/address.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { KindName } from '../model/kind-places.ts';
import { locateFinding } from '../model/place-of.ts';
import { formatNameList } from '../model/text/suggest.ts';
import type { PlanCheck, PlanCheckInput } from './check.ts';

/** Operations that the service lacks: an error where the plan cannot do without one, one note for the rest. */
export const checkMissingServiceOperations: PlanCheck = (input) => {
  const { gaps = [] } = input.live;
  if (gaps.length === 0) return [];
  const byOperation = new Map(gaps.map((gap) => [gap.operation, gap]));
  return [
    ...refuseUnlisted(byOperation, input),
    ...refuseUnsent(byOperation, input),
    ...note(gaps),
  ];
};

type Gaps = ReadonlyMap<string, MissingServiceOperation>;

/** Refuses kinds that the service cannot list: existing resources would be created again. */
function refuseUnlisted(gaps: Gaps, { plan, desired }: PlanCheckInput): readonly Finding[] {
  return plan.changes.flatMap(({ kind, address }) => {
    const gap = gaps.get(listOperationOf(kind) ?? '');
    if (!gap) return [];
    return [refuse(gap, address, `What stands of it cannot be known.`, desired)];
  });
}

function refuseUnsent(gaps: Gaps, { plan, desired }: PlanCheckInput): readonly Finding[] {
  return plan.tasks.flatMap(({ address, commands }) =>
    commands.flatMap(({ kind: command }) => {
      const gap = gaps.get(command);
      if (!gap) return [];
      const { label } = kindRegistry[commandSubjects[command].kind];
      return [refuse(gap, address, `The ${label} needs it in this plan.`, desired)];
    }),
  );
}

function refuse(
  { operation, why, neededFor, line }: MissingServiceOperation,
  address: ResourceAddress,
  detail: string,
  desired: PlanCheckInput['desired'],
): Finding {
  const resource = desired.get(address);
  return {
    severity: 'error',
    code: 'not-bound',
    summary: line
      ? `${operation}, which ${neededFor} need, lacks a line of the contract file`
      : why === 'none'
        ? `The service has no ${operation}, which ${neededFor} need`
        : `The contract file does not say where the service has ${operation}, which ${neededFor} need`,
    detail,
    hint: line
      ? `Write it in the contract file: ${line}.`
      : `If the service has it, write it in the contract file: operations: { ${operation}: METHOD /path }.`,
    address,
    ...(resource && locateFinding(resource)),
  };
}

/** Operations that let a plan prove more; without them some checks are skipped. */
const proving = new Set([
  'getLimits',
  'getNameLengthLimits',
  'listOperations',
  'listBackups',
  'listConfigurations',
  'listImages',
  'listTariffs',
  'listSales',
]);

function note(gaps: readonly MissingServiceOperation[]): readonly Finding[] {
  const weakening = gaps.filter(({ operation }) => proving.has(operation));
  const forbidden = weakening.filter(({ why }) => why === 'forbidden');
  const lacked = weakening.filter(({ why }) => why !== 'forbidden');
  const name = (some: readonly MissingServiceOperation[]) =>
    formatNameList(some.map(({ operation }) => operation));
  const explain = (some: readonly MissingServiceOperation[]) =>
    `${some.map(({ without }) => without).join('. ')}.`;
  const notes: Finding[] = [];
  if (forbidden.length > 0) {
    notes.push({
      severity: 'note',
      code: 'service-forbids',
      summary: `The access token may not use ${name(forbidden)}`,
      detail: explain(forbidden),
    });
  }
  if (lacked.length > 0) {
    notes.push({
      severity: 'note',
      code: 'service-lacks',
      summary: `The service lacks ${name(lacked)}`,
      detail: explain(lacked),
    });
  }
  return notes;
}

function listOperationOf(kind: KindName): string | undefined {
  const { wire } = kindRegistry[kind];
  return 'list' in wire ? wire.list({ projectId: '', publicIpId: '' }).operation : undefined;
}
