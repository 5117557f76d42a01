import type { ResourceAddress } from '../../../src/model/address.ts';
import type { ResolvedCommand } from '../../../src/model/account/command.ts';

/** What the simulation reads of a resource that is written down. */
interface WrittenResource {
  readonly address: ResourceAddress;
  readonly id: string;
  readonly allocatedPublicIpId?: string;
  readonly deposed?: readonly string[];
}

/** A line of a journal, as far as it says what is ours. */
export type JournalLine =
  | {
      readonly kind: 'intent';
      readonly address: ResourceAddress;
      readonly command: ResolvedCommand;
    }
  | { readonly kind: 'accepted'; readonly address: ResourceAddress }
  | { readonly kind: 'bound'; readonly resources: readonly WrittenResource[] };

interface AnyRecord {
  readonly kind: string;
  readonly address: ResourceAddress;
  readonly command: ResolvedCommand;
  readonly resource?: WrittenResource;
  readonly resources?: readonly WrittenResource[];
}

/** What a line of a journal says. */
export function readJournalLine(line: string): JournalLine[] {
  const { record } = JSON.parse(line) as { record: AnyRecord };
  const { kind, address, command, resource, resources } = record;
  if (kind === 'intent') return [{ kind, address, command }];
  if (kind === 'accepted') return [{ kind, address }];
  if (resource) return [{ kind: 'bound', resources: [resource] }];
  return resources ? [{ kind: 'bound', resources }] : [];
}
