// Simulates a person at the service's console: changes and deletes live resources behind the back of configuration and state.
import type { WebConsoleChange, WebConsoleDeletion } from '../../config/tests/test-file.ts';
import { describeError } from '../../api/errors/describe-error.ts';
import { ApiError } from '../../api/errors/errors.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { isOperationFinished, readOperationOutcome } from '../../kinds/operation-types.ts';
import type { CommandContext } from '../../kinds/kind.ts';
import {
  makeChildAddress,
  parseResourceAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import { resolveCommand, type Command } from '../../model/account/command.ts';
import { accountPlaceholderId, type Catalog } from '../../model/account/live.ts';
import type { SourceRange } from '../../model/source.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { TestAccount } from './test-account.ts';

/** Resources that a test manages, by address. */
export type ResourcesByAddress = ReadonlyMap<ResourceAddress, ManagedResource>;

/** Interval of looks at an operation's record, in milliseconds of virtual time. */
const lookEveryMs = 5_000;

/**
 * Carries out the changes of a test step that a person would make in the service's web console, outside of Hostwright.
 * @throws DiagnosticError, ApiError for the first that fails
 */
export async function makeWebConsoleChanges(
  account: TestAccount,
  known: ResourcesByAddress,
  {
    changes,
    deletions,
  }: {
    readonly changes: readonly WebConsoleChange[];
    readonly deletions: readonly WebConsoleDeletion[];
  },
): Promise<void> {
  const catalog = await account.client.getCatalog();
  for (const { address, attributes, source } of changes) {
    const found = findKnown(known, address, source);
    const kind = kindRegistry[found.kind];
    const names = Object.keys(attributes);
    const isRebuild = names.some((name) => kind.fields[name]?.effect === 'rebuild');
    const commands = kind.update(
      {
        fields: new Set(names),
        before: found.attributes,
        after: { ...found.attributes, ...attributes },
        isRebuild,
        deleteBackups: false,
        backupFirst: false,
      },
      contextOf(found, known, catalog, source),
    );
    await sendAll(account, found, commands, source);
  }
  for (const { address, source } of deletions) {
    const found = findKnown(known, address, source);
    const commands = kindRegistry[found.kind].destroy(contextOf(found, known, catalog, source));
    await sendAll(account, found, commands, source);
  }
}

function findKnown(
  known: ResourcesByAddress,
  address: ResourceAddress,
  source: SourceRange,
): ManagedResource {
  const found = known.get(address);
  if (found) return found;
  const meant = suggestNearestName(address, known.keys());
  throw createCommandRefusal('not-live', `There is no live resource ${address}`, {
    detail:
      known.size === 0
        ? 'The account is empty: nothing was applied so far.'
        : `Live resources: ${formatNameList([...known.keys()], 8)}.`,
    hint:
      meant === undefined
        ? 'Apply the configuration in a step before this one, or give the test an `account`.'
        : `Did you mean \`${meant}\`?`,
    source,
  });
}

/** References as ids, looked up by address in the same project. */
function contextOf(
  { address, id, projectId, publicIpId }: ManagedResource,
  known: ResourcesByAddress,
  catalog: Catalog,
  source: SourceRange,
): CommandContext {
  const project = parseResourceAddress(address)?.project ?? accountPlaceholderId;
  return {
    project: { id: projectId },
    self: { id },
    parent: { id: publicIpId ?? projectId },
    refTo: (kind, local) => ({
      id: findKnown(known, makeChildAddress(project, kind, local), source).id,
    }),
    catalog,
  };
}

/** Sends commands one after the other, and waits for the end of each. @throws DiagnosticError */
async function sendAll(
  { client, clock }: TestAccount,
  { address, id, projectId }: ManagedResource,
  commands: readonly Command[],
  source: SourceRange,
): Promise<void> {
  const fail = (detail: string) =>
    createCommandRefusal(
      'drift-failed',
      `The service did not carry out this change of ${address}`,
      {
        detail,
        source,
        address,
        hint: 'Do in the step what the console of the service allows.',
      },
    );
  for (const command of commands) {
    const resolved = resolveCommand(command, (ref) => ('id' in ref ? ref.id : ref.idOf));
    await client.send(resolved).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      throw fail(describeError(error).detail ?? error.message);
    });
    const hasOperations = projectId !== accountPlaceholderId && projectId !== id;
    while (hasOperations) {
      const [latest] = await client.listOperations(projectId, { resourceId: id, newest: 1 });
      if (latest && readOperationOutcome(latest) === 'failed') {
        throw fail(`${latest.type} failed: ${latest.failureCode ?? 'the service says no more'}.`);
      }
      if (!latest || isOperationFinished(latest)) break;
      await clock.sleep(lookEveryMs);
    }
  }
}
