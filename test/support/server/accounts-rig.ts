// Workspaces that share accounts, with two workers.
import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';
import { inProcess } from './in-process.ts';
import { openServerRig, type ServerRig } from './server-rig.ts';

/** A run that has ended. */
interface EndedRun {
  readonly id: string;
  readonly status: string;
  readonly log: string;
}

/** An account as the API shows it. */
export type AccountOnService = Readonly<Record<string, unknown>>;

/** A configuration with one network. */
export const network = (project: string) => `version: 1
projects:
  ${project}:
    networks: { main: {} }
`;

/** The server, and what workspaces do with an account. */
export class AccountsRig {
  readonly rig: ServerRig;
  readonly api: ApiClient;

  private constructor(rig: ServerRig, api: ApiClient) {
    this.rig = rig;
    this.api = api;
  }

  /** Opens it with a repository of these files; the workers have these variables of the environment, too. */
  static async open(
    files: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>> = {},
  ): Promise<AccountsRig> {
    const rig = await openServerRig(inProcess, 200);
    const api = await rig.startServer();
    await rig.repository.commit(files);
    await rig.start(['worker'], { env });
    await rig.start(['worker'], { env });
    return new AccountsRig(rig, api);
  }

  /** Makes a workspace of a directory of the repository. */
  async makeWorkspace(
    name: string,
    { token, account }: { readonly token?: string; readonly account?: string } = {},
  ): Promise<void> {
    const { baseUrl } = this.rig.account;
    const { status } = await this.api.call('POST', '/api/v1/workspaces', {
      ...{ name, repository: this.rig.repositoryUrl, directory: name },
      ...(account !== undefined && { account }),
      variables: {
        HOSTWRIGHT_BASE_URL: baseUrl,
        HOSTWRIGHT_TOKEN: token ?? this.rig.account.token,
      },
    });
    expect(status).toBe(201);
  }

  /** Another token of the account. */
  async makeToken(name: string): Promise<string> {
    const { baseUrl, token } = this.rig.account;
    const response = await fetch(`${baseUrl}/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, scopes: ['full'] }),
    });
    const text = await response.text();
    return /hw_\w+/.exec(text)?.[0] ?? text;
  }

  /** Carries a run out, and gives how it ended. */
  async carryOut(request: object): Promise<EndedRun> {
    const { id } = await this.api.run(request);
    const { status } = await this.api.ended(id);
    return { id, status, log: await this.api.readLog(id) };
  }

  plan(workspace: string): Promise<EndedRun> {
    return this.carryOut({ operation: 'plan', workspace });
  }

  apply(id: string): Promise<EndedRun> {
    return this.carryOut({ operation: 'apply', plan: id });
  }

  async listAccounts(): Promise<readonly AccountOnService[]> {
    const { body } = await this.api.call('GET', '/api/v1/accounts');
    return body.accounts as readonly AccountOnService[];
  }

  /** The account of a workspace. */
  async findAccount(workspace: string): Promise<AccountOnService | undefined> {
    const accounts = await this.listAccounts();
    return accounts.find(({ workspaces }) => (workspaces as string[]).includes(workspace));
  }

  setBudget(account: AccountOnService | undefined) {
    const path = `/api/v1/accounts/${String(account?.id)}`;
    return this.api.call('PATCH', path, { requestsPerSecond: 40 });
  }

  /** Changes a workspace. */
  async edit(name: string, body: object): Promise<void> {
    expect((await this.api.call('PATCH', `/api/v1/workspaces/${name}`, body)).status).toBe(200);
  }
}
