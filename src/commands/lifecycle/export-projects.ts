import { classifyRefusal } from '../../api/errors/classify-error.ts';
import type { ServiceClient } from '../../api/client.ts';
import { ServiceError } from '../../api/errors/errors.ts';
import { listSales } from '../../api/sales.ts';
import { listConfigurationFiles } from '../../config/source/read-files.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { readLiveSnapshot } from '../../live/read-live.ts';
import { addSalesToSnapshot } from '../../live/add-sales.ts';
import type { Sale } from '../../model/account/account.ts';
import type { ExportedAccount } from '../../model/account/exported.ts';
import type { LiveRecordOfKind } from '../../model/account/live.ts';
import { projectKind } from '../../model/kind-table.ts';
import type { ReadingRuntime, SessionRuntime } from '../../model/runtime.ts';
import { formatNameList } from '../../model/text/suggest.ts';
import { exportAccount } from '../../plan/export/export-account.ts';
import { connectToService, type ConnectionSettings } from '../session/connect.ts';
import { locateContractFile } from '../contract/record-observed.ts';
import { findContractFile } from '../session/resolve-contract.ts';
import {
  findConfiguredService,
  readServiceAddressVariable,
  type ServiceLocation,
} from '../session/locate-service.ts';
import { pickByNameOrId } from '../account/pick-named.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { readConfiguration } from '../session/session.ts';
import { readConfiguredState } from '../session/state/open-backend.ts';

type Notices = Pick<Reporter, 'showDiagnostics'>;

/** Options of `export`. */
export interface ExportOptions {
  /** Names or ids of the projects to export. */
  readonly projects: readonly string[];
  readonly takesAll: boolean;
}

/** Exported projects, and the service that they are from. */
export interface ExportedProjects {
  readonly exported: ExportedAccount;
  readonly service: ServiceLocation;
  /** Path of the contract file that the account was read with. */
  readonly contract: string | undefined;
}

/**
 * Reads projects of the account and describes them as a configuration would; what it cannot describe is reported as notes.
 * Neither the account nor the state is changed.
 * @throws DiagnosticError for a project that is not there, or when none is named
 */
export async function exportProjects(
  runtime: SessionRuntime,
  options: ExportOptions,
  reporter: Notices,
): Promise<ExportedProjects> {
  const settings = await findSettings(runtime, reporter);
  const service = findConfiguredService(runtime, settings);
  // A state, where there is one, tells which account this directory belongs to.
  const { state } = await readConfiguredState(runtime, settings.directory);
  const connection = await connectToService(runtime, settings, state, reporter);
  try {
    const { client } = connection;
    const projectIds = pickProjects(await client.listProjects(), options);
    const [live, sales] = await Promise.all([
      readLiveSnapshot(client, { projectIds, projectNames: [] }),
      readSales(client, reporter),
    ]);
    const exported = exportAccount(addSalesToSnapshot(live, sales), projectIds);
    reporter.showDiagnostics(explainLeftOut(exported));
    const contract = await findContractFile(runtime, settings);
    return {
      exported,
      service,
      contract: contract && locateContractFile(runtime, settings.directory, contract),
    };
  } finally {
    connection.close();
  }
}

/** Settings of the connection. An account is often exported before there is a configuration: the environment is enough. */
async function findSettings(
  runtime: ReadingRuntime,
  reporter: Notices,
): Promise<ConnectionSettings> {
  if (readServiceAddressVariable(runtime) !== undefined) {
    return { service: undefined, directory: runtime.cwd };
  }
  if ((await listConfigurationFiles(runtime.cwd)).length === 0) {
    throw createCommandRefusal('service-missing', 'The location of the account is not set', {
      detail: 'HOSTWRIGHT_BASE_URL is not set, and there is no configuration here.',
      hint: 'Set HOSTWRIGHT_BASE_URL, and the token as HOSTWRIGHT_TOKEN or HOSTWRIGHT_TOKEN_FILE. Or give a directory whose configuration says it with --chdir.',
    });
  }
  return readConfiguration(runtime, '.', reporter);
}

function pickProjects(
  listed: readonly LiveRecordOfKind<typeof projectKind>[],
  { projects, takesAll }: ExportOptions,
): readonly string[] {
  if (takesAll) return listed.map(({ id }) => id);
  if (projects.length === 0) {
    const names = listed.map(({ id, name = id }) => name);
    throw createCommandRefusal('project-missing', 'No project to export is given', {
      detail:
        names.length > 0
          ? `The account has: ${formatNameList(names)}.`
          : 'The account has no project.',
      hint: 'Name each with --project NAME, or take all of them with --all.',
    });
  }
  const naming = { what: kindRegistry[projectKind].label, list: 'hostwright export' };
  return [...new Set(projects.map((word) => pickByNameOrId(listed, word, naming).id))];
}

/** Reads sales, for the `renewal` of VMs; a token that may not read them does not stop the export. */
async function readSales(client: ServiceClient, reporter: Notices): Promise<readonly Sale[]> {
  try {
    return await listSales(client);
  } catch (error) {
    const meaning = error instanceof ServiceError ? classifyRefusal(error) : undefined;
    if (meaning !== 'forbidden' && meaning !== 'notFound') throw error;
    reporter.showDiagnostics([
      {
        severity: 'note',
        code: 'renewals-unread',
        summary: 'Whether VMs renew cannot be read with this token: no `renewal` is written',
      },
    ]);
    return [];
  }
}

function explainLeftOut({ resources, leftOut }: ExportedAccount) {
  const left = leftOut.map(({ title, why, project }) => ({
    severity: 'note' as const,
    code: 'left-out',
    summary: `Left out: ${title}`,
    detail: why,
    ...(project !== undefined && { address: project }),
  }));
  const remarked = resources.flatMap(({ address, remarks }) =>
    remarks.length === 0
      ? []
      : [
          {
            severity: 'note' as const,
            code: 'not-all-exported',
            summary: `A configuration cannot describe all of ${address}`,
            detail: remarks.join(' '),
            address,
          },
        ],
  );
  return [...left, ...remarked];
}
