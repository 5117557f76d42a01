// The event stream: one JSON object a line, in the form of Terraform's machine-readable UI. Its shape is
// `schemas/events.schema.json`. Each event's time comes in from outside; members that Terraform's form does not have are
// under `hostwright`.
import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import type { EffectCounts } from '../../model/effects.ts';
import { describeDiagnostic } from './diagnostics-json.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { severityLabels } from '../view/labels.ts';
import type { OutputJson } from './outputs-json.ts';
import { representedTerraformVersion, findTerraformResourceType } from './resource-json.ts';
import { splitResourceName } from '../view/resource-name.ts';

/** One line of the JSON event stream, in the format of Terraform. */
export interface StreamEventJson {
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
type Said = Pick<StreamEventJson, '@message' | 'type'> &
  Partial<Pick<StreamEventJson, '@level'>> &
  Readonly<Record<string, unknown>>;

/** The version of Terraform's UI format that this stream follows. */
const uiVersion = '1.2';

/** Puts the time on an event, and makes its message safe to print. @param at milliseconds since the Unix epoch */
export function stampEventTime(
  { '@message': message, type, ...rest }: Said,
  at: number,
): StreamEventJson {
  return {
    '@level': 'info',
    '@message': escapeUntrustedText(message),
    '@module': 'hostwright.ui',
    '@timestamp': new Date(at).toISOString(),
    type,
    ...rest,
  };
}

/** Makes the first event of every stream, which tells the version. */
export function describeVersionEvent(version: string, at: number): StreamEventJson {
  const message = `Hostwright ${version}`;
  return stampEventTime(
    {
      type: 'version',
      '@message': message,
      terraform: representedTerraformVersion,
      ui: uiVersion,
      hostwright: version,
    },
    at,
  );
}

const levels: Readonly<Record<Severity, StreamEventJson['@level']>> = {
  error: 'error',
  warning: 'warn',
  note: 'info',
};

/** Makes the event for a diagnostic or a finding. */
export function describeDiagnosticEvent(diagnostic: Diagnostic, at: number): StreamEventJson {
  const { severity, summary } = diagnostic;
  const message = `${severityLabels[severity]}: ${summary}`;
  const described = describeDiagnostic(diagnostic);
  return stampEventTime(
    { type: 'diagnostic', '@level': levels[severity], '@message': message, diagnostic: described },
    at,
  );
}

/** Actions on a resource, as Terraform's UI names them. */
export type TerraformUiAction =
  'create' | 'update' | 'replace' | 'delete' | 'remove' | 'move' | 'import' | 'noop';

/** Describes a resource in the format of Terraform's UI, where `resource` is the address within the module. */
export function describeTerraformUiResource(address: ResourceAddress) {
  const { name, index } = splitResourceName(address);
  const { kind, module = '' } = parseResourceAddress(address) ?? {};
  return {
    addr: address,
    module,
    resource: module === '' ? address : address.slice(module.length + 1),
    implied_provider: 'hostwright',
    resource_type: kind === undefined ? '' : findTerraformResourceType(kind),
    resource_name: name,
    resource_key: index ?? null,
  };
}

/**
 * Describes the counts of a `change_summary`: Terraform's own, which take a rebuild for a change, and under our own key
 * the finer counts.
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
export function describeOutputsEvent(
  outputs: Readonly<Record<string, Partial<OutputJson>>>,
  at: number,
): StreamEventJson {
  const message = `Outputs: ${Object.keys(outputs).length}`;
  return stampEventTime({ type: 'outputs', '@message': message, outputs }, at);
}
