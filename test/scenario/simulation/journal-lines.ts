import type { Address } from '../../../src/model/address.ts';
import type { ResolvedCommand } from '../../../src/model/command.ts';

/** What the simulation reads of a resource that is written down. */
interface WrittenResource {
  readonly address: Address;
  readonly id: string;
  readonly allocatedPublicIpId?: string;
  readonly deposed?: readonly string[];
}

/** A line of a journal, as far as it says what is ours. */
export type JournalLine =
  | { readonly kind: 'intent'; readonly address: Address; readonly command: ResolvedCommand }
  | { readonly kind: 'accepted'; readonly address: Address }
  | { readonly kind: 'bound'; readonly resources: readonly WrittenResource[] };

interface AnyRecord {
  readonly kind: string;
  readonly address: Address;
  readonly command: ResolvedCommand;
  readonly resource?: WrittenResource;
  readonly resources?: readonly WrittenResource[];
}

/** What a text that is appended to a journal says. */
export function readJournalLines(text: string): JournalLine[] {
  return text.split('\n').flatMap((line): JournalLine[] => {
    if (line === '') return [];
    const { record } = JSON.parse(line) as { record: AnyRecord };
    const { kind, address, command, resource, resources } = record;
    if (kind === 'intent') return [{ kind, address, command }];
    if (kind === 'accepted') return [{ kind, address }];
    if (resource) return [{ kind: 'bound', resources: [resource] }];
    return resources ? [{ kind: 'bound', resources }] : [];
  });
}
