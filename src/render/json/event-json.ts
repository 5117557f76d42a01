// The event stream: one JSON object a line, in the form of Terraform's machine-readable UI. Its shape is
// `schemas/events.schema.json`. Each event's time comes in from outside; members that Terraform's form does not have are
// under `hostwright`.
import { parseAddress, type Address } from '../../model/address.ts';
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import type { EffectCounts } from '../../model/effects.ts';
import { describeDiagnostic } from './diagnostics-json.ts';
import { escapeText } from '../format/escape.ts';
import { severityLabels } from '../view/labels.ts';
import type { OutputJson } from './outputs-json.ts';
import { representedTerraform, resourceType } from './resource-json.ts';
import { nameResource } from '../view/resource-name.ts';

/** One line of the JSON event stream, in the format of Terraform. */
export interface EventJson {
  readonly '@level': 'info' | 'warn' | 'error';
  readonly '@message': string;
  readonly '@module': 'hostwright.ui';
  /** Time of the event in RFC 3339 format. */
  readonly '@timestamp': string;
  readonly type: string;
  /** Payload of the event: one key or two, depending on its type. */
  readonly [key: string]: unknown;
}

/** An event of the stream without its time. */
type Said = Pick<EventJson, '@message' | 'type'> &
  Partial<Pick<EventJson, '@level'>> &
  Readonly<Record<string, unknown>>;

/** The version of Terraform's UI format that this stream follows. */
const uiVersion = '1.2';

/** Puts the time on an event, and makes its message safe to print. @param at milliseconds since the Unix epoch */
export function stampEvent({ '@message': message, type, ...rest }: Said, at: number): EventJson {
  return {
    '@level': 'info',
    '@message': escapeText(message),
    '@module': 'hostwright.ui',
    '@timestamp': new Date(at).toISOString(),
    type,
    ...rest,
  };
}

/** Makes the first event of every stream, which tells the version. */
export function describeVersion(version: string, at: number): EventJson {
  const message = `Hostwright ${version}`;
  return stampEvent(
    {
      type: 'version',
      '@message': message,
      terraform: representedTerraform,
      ui: uiVersion,
      hostwright: version,
    },
    at,
  );
}

const levels: Readonly<Record<Severity, EventJson['@level']>> = {
  error: 'error',
  warning: 'warn',
  note: 'info',
};

/** Makes the event for a diagnostic or a finding. */
export function describeDiagnosticEvent(diagnostic: Diagnostic, at: number): EventJson {
  const { severity, summary } = diagnostic;
  const message = `${severityLabels[severity]}: ${summary}`;
  const described = describeDiagnostic(diagnostic);
  return stampEvent(
    { type: 'diagnostic', '@level': levels[severity], '@message': message, diagnostic: described },
    at,
  );
}

/** Actions on a resource, as Terraform's UI names them. */
export type UiAction =
  'create' | 'update' | 'replace' | 'delete' | 'remove' | 'move' | 'import' | 'noop';

/** A resource as Terraform's UI names it: `resource` is its address within its module. */
export function describeUiResource(address: Address) {
  const { name, index } = nameResource(address);
  const { kind, module = '' } = parseAddress(address) ?? {};
  return {
    addr: address,
    module,
    resource: module === '' ? address : address.slice(module.length + 1),
    implied_provider: 'hostwright',
    resource_type: kind === undefined ? '' : resourceType(kind),
    resource_name: name,
    resource_key: index ?? null,
  };
}

/**
 * The counts of a `change_summary`: Terraform's, where a rebuild is a change, and under our own key the counts that these do
 * not tell apart.
 */
export function describeChangeSummary(
  counts: EffectCounts,
  operation: 'plan' | 'apply' | 'destroy',
) {
  const { add, change, rebuild, disksLost, destroy, expire, due, forget } = counts;
  return {
    changes: {
      add,
      change: change + rebuild,
      import: counts.import,
      remove: destroy,
      operation,
    },
    hostwright: {
      change,
      rebuild,
      disks_lost: disksLost,
      ...(expire > 0 && { expire }),
      ...(due > 0 && { due }),
      forget,
    },
  };
}

/** Makes the event with the outputs, planned or present. */
export function stampOutputs(
  outputs: Readonly<Record<string, Partial<OutputJson>>>,
  at: number,
): EventJson {
  const message = `Outputs: ${Object.keys(outputs).length}`;
  return stampEvent({ type: 'outputs', '@message': message, outputs }, at);
}
