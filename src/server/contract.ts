/**
 * Generated from schemas/server.yaml by `npm run generate`. Do not edit.
 */

interface components {
  schemas: {
    readonly Problem: {
      readonly status: number;
      readonly title: string;
      readonly detail?: string;
      /**
       * Format: uuid
       * @description The run that applies the plan, where somebody asks for its apply once more.
       */
      readonly run?: string;
      readonly parts?: components['schemas']['HealthParts'];
    };
    /** @description The parts of a process by name: `database`, `session` with which it counts as a worker, and `git`. `silent` is one that did not answer in time. */
    readonly HealthParts: {
      readonly [key: string]: 'ok' | 'failed' | 'silent';
    };
    /** @example shop */
    readonly ShortName: string;
    /** @example main */
    readonly Branch: string;
    /**
     * @description The directory of the configuration within the repository.
     * @example network/prod
     */
    readonly Directory: string;
    /**
     * @description Further directories of the repository that the configuration may have read, such as shared modules. What changes there is planned, too.
     * @example [
     *       "modules"
     *     ]
     */
    readonly Reads: readonly components['schemas']['Directory'][];
    readonly NewWorkspace: {
      readonly name: components['schemas']['ShortName'];
      /**
       * @description The address of a git repository.
       * @example https://git.example.com/acme/infra.git
       */
      readonly repository: string;
      /** @default main */
      readonly branch: components['schemas']['Branch'];
      /** @default . */
      readonly directory: components['schemas']['Directory'];
      /** @default [] */
      readonly reads: components['schemas']['Reads'];
      /**
       * @description True: each new commit of the branch is planned.
       * @default false
       */
      readonly poll: boolean;
      /** @description The name of the connection to the git host of its repository. */
      readonly connection?: string | null;
      /**
       * @description True: what a merged pull request plans is applied, if it removes and replaces nothing or does what was planned in the pull request.
       * @default false
       */
      readonly applyOnMerge: boolean;
      /**
       * @description How many have to say yes to a plan before it is applied.
       * @default {}
       */
      readonly approvals: {
        /** @default 0 */
        readonly count: number;
        /**
         * @description True: a yes of whoever started the plan counts.
         * @default false
         */
        readonly byAuthor: boolean;
        /**
         * @description True: an approval of a pull request at its git host counts as a yes to the plan of its merge.
         * @default false
         */
        readonly hostReviews: boolean;
      };
      /**
       * @description True: the last yes that was missing queues the apply.
       * @default false
       */
      readonly applyWhenApproved: boolean;
      /**
       * @description What workspaces with different tokens of one account call it. Those with the same name and the same address share its budget of requests, its quotas and its projects. Null, or nothing: the account is known by its token.
       * @example production
       */
      readonly account?: string | null;
      /**
       * @description The names of workspaces whose outputs are variables of this one. It is planned when one of them was applied.
       * @default []
       */
      readonly after: readonly string[];
      /**
       * @description The names of the sets whose variables its runs have, too. Its own variables win, then those of the set that is listed last.
       * @default []
       */
      readonly variableSets: readonly string[];
      /**
       * @description How often the account is compared with the state. Null: only when somebody asks for it.
       * @default null
       * @example 60
       */
      readonly driftEveryMinutes: number | null;
      /**
       * @description True: drift is planned at the commit that was applied last, and the plan is applied if it removes and replaces nothing and needs no approval.
       * @default false
       */
      readonly applyDrift: boolean;
      /**
       * @description Ranges of addresses that the probes of its applies may reach. Without any, they reach public IPs of the account alone.
       * @default []
       */
      readonly allowProbes: readonly string[];
      /**
       * @description When its applies and destroys may run. Without any, they run at any time. One that is asked for at another time waits, and so does one that takes longer than what is left of the window.
       * @default []
       */
      readonly windows: readonly components['schemas']['ApplyWindow'][];
      /**
       * @description When none of its applies and destroys may run, whatever its windows say.
       * @default []
       */
      readonly freezes: readonly components['schemas']['ApplyFreeze'][];
      /**
       * @description The environment of its runs, such as HOSTWRIGHT_TOKEN. It is kept encrypted, and never shown again.
       * @default {}
       */
      readonly variables: {
        readonly [key: string]: components['schemas']['GivenVariable'];
      };
    };
    readonly WorkspaceEdit: {
      /** @description Another name. Its runs, roles and state stay with it. */
      readonly name?: components['schemas']['ShortName'];
      readonly repository?: components['schemas']['NewWorkspace']['repository'];
      readonly branch?: components['schemas']['Branch'];
      readonly directory?: components['schemas']['Directory'];
      readonly reads?: components['schemas']['Reads'];
      readonly poll?: boolean;
      /** @description With null, the repository is read without a connection. */
      readonly connection?: string | null;
      readonly applyOnMerge?: boolean;
      /** @description How many have to say yes to a plan before it is applied. */
      readonly approvals?: {
        readonly count?: number;
        /** @description True: a yes of whoever started the plan counts. */
        readonly byAuthor?: boolean;
        /** @description True: an approval of a pull request at its git host counts as a yes to the plan of its merge. */
        readonly hostReviews?: boolean;
      };
      /** @description True: the last yes that was missing queues the apply. */
      readonly applyWhenApproved?: boolean;
      /**
       * @description What workspaces with different tokens of one account call it. Those with the same name and the same address share its budget of requests, its quotas and its projects. Null, or nothing: the account is known by its token.
       * @example production
       */
      readonly account?: string | null;
      /** @description The names of workspaces, in place of those before. */
      readonly after?: readonly string[];
      /** @description The names of sets of variables, in place of those before. */
      readonly variableSets?: readonly string[];
      /**
       * @description How often the account is compared with the state. Null: only when somebody asks for it.
       * @example 60
       */
      readonly driftEveryMinutes?: number | null;
      readonly applyDrift?: boolean;
      /** @description The ranges of addresses, in place of those before. */
      readonly allowProbes?: readonly string[];
      /** @description The windows, in place of those before. An empty list removes them. */
      readonly windows?: readonly components['schemas']['ApplyWindow'][];
      /** @description The freezes, in place of those before. An empty list removes them. */
      readonly freezes?: readonly components['schemas']['ApplyFreeze'][];
      /** @description True: the server starts nothing for it by itself, neither for pushes and pull requests nor for drift, merges and workspaces before it. What somebody asks for is done. */
      readonly paused?: boolean;
      /** @description The variables to set, or to remove. All others stay. */
      readonly variables?: {
        readonly [key: string]: components['schemas']['GivenVariable'];
      };
    };
    /** @description A time of the week at which applies and destroys may run. */
    readonly ApplyWindow: {
      /**
       * @description The days on which it opens. One that is open at midnight closes on the next day.
       * @example Sat
       */
      readonly days: string | readonly ('Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat' | 'Sun')[];
      readonly from: components['schemas']['ClockTime'];
      /** @description When it closes, on the next day unless it is later than `from`. */
      readonly to: components['schemas']['ClockTime'];
      /**
       * @description The time zone of its times, by its name in the IANA database.
       * @example Europe/Berlin
       */
      readonly zone: string;
    };
    /** @example 02:00 */
    readonly ClockTime: string;
    /** @description A time without applies and destroys, and its reason. Everybody sees it. */
    readonly ApplyFreeze: {
      readonly reason: string;
      readonly from: components['schemas']['FreezeTime'];
      readonly to: components['schemas']['FreezeTime'];
    };
    /** Format: date-time */
    readonly FreezeTime: string;
    /** @description The value of a variable, or what changes of it. A secret is masked in plans, logs, comments and outputs, whatever the configuration says of it. It stays one with a new value, unless `secret` is false. With null, the variable is removed. */
    readonly GivenVariable:
      | string
      | {
          /** @description As it was, unless given. */
          readonly value?: string;
          readonly secret?: boolean;
        }
      | null;
    readonly NewConnection: {
      readonly name: components['schemas']['ShortName'];
      /** @enum {unknown} */
      readonly kind: 'github' | 'gitlab';
      /** @description GitHub: of its API, https://api.github.com unless given. GitLab: of the site, https://gitlab.com unless given. */
      readonly address?: string;
      readonly token?: components['schemas']['HostToken'];
      /**
       * @description Of a GitHub App, which signs in in place of a token.
       * @example 12345
       */
      readonly appId?: string;
      /** @example 67890 */
      readonly installationId?: string;
      readonly privateKey?: components['schemas']['AppKey'];
    };
    readonly ConnectionEdit: {
      readonly token?: components['schemas']['HostToken'];
      readonly privateKey?: components['schemas']['AppKey'];
    };
    /** @description It is kept encrypted, and never shown again. */
    readonly HostToken: string;
    /** @description Of a GitHub App, in PEM. It is kept encrypted, and never shown again. */
    readonly AppKey: string;
    readonly Connection: {
      readonly name: string;
      /** @enum {unknown} */
      readonly kind: 'github' | 'gitlab';
      readonly address: string;
      /** @description The address below which its repositories are. */
      readonly site: string;
      readonly appId?: string;
      readonly installationId?: string;
      /** @description Where the host sends its webhooks, at the address of the server. */
      readonly webhookPath: string;
      /** @description Only where it was just made. */
      readonly webhookSecret?: string;
      /** Format: date-time */
      readonly createdAt: string;
    };
    /** @enum {unknown} */
    readonly MessageEvent:
      | 'drift.began'
      | 'drift.changed'
      | 'drift.ended'
      | 'run.failed'
      | 'run.applied'
      | 'plan.waiting';
    readonly VariableSetEdit: {
      /** @description Variables by name. One without a value keeps the one that it has. One that is not listed is removed by PUT, and stays with PATCH. */
      readonly variables: {
        readonly [key: string]: components['schemas']['GivenVariable'];
      };
    };
    readonly VariableSet: {
      readonly name: string;
      /** @description The names of its variables. */
      readonly names: readonly string[];
      /** @description The names of those that are secrets. */
      readonly secrets: readonly string[];
      /** @description The names of the workspaces that use it. */
      readonly workspaces: readonly string[];
      /** Format: date-time */
      readonly changedAt: string;
    };
    readonly NewVariableComparison: {
      /**
       * @description The values of variables, by workspace and by variable.
       * @default {}
       */
      readonly workspaces: {
        readonly [key: string]: components['schemas']['VariableValues'];
      };
      /**
       * @description The values of variables, by set and by variable.
       * @default {}
       */
      readonly variableSets: {
        readonly [key: string]: components['schemas']['VariableValues'];
      };
    };
    readonly VariableValues: {
      readonly [key: string]: string;
    };
    readonly VariableComparison: {
      readonly workspaces: {
        readonly [key: string]: components['schemas']['ComparedVariables'];
      };
      readonly variableSets: {
        readonly [key: string]: components['schemas']['ComparedVariables'];
      };
    };
    readonly ComparedVariables: {
      /** @description The names of the variables that are kept. */
      readonly names: readonly string[];
      /** @description The names of those that are secrets. */
      readonly secrets: readonly string[];
      /** @description The names among those that were sent whose kept value is another, or that are not kept. */
      readonly differing: readonly string[];
    };
    readonly WorkspaceVariables: {
      readonly names: readonly string[];
      /** @description The names of those that are secrets. */
      readonly secrets: readonly string[];
      /** @description The variables that it has by sets, each by the set that wins. What it sets itself is not among them. */
      readonly inherited: readonly components['schemas']['InheritedVariable'][];
    };
    readonly InheritedVariable: {
      readonly name: string;
      /** @description The name of the set that it comes from. */
      readonly set: string;
      readonly secret: boolean;
    };
    readonly PolicyFileEdit: {
      /** @description YAML with `policies`, `exemptions` or both, as in a directory of policies. */
      readonly content: string;
      /** @description The names of the workspaces whose plans they judge; all unless given. */
      readonly workspaces?: readonly string[];
      /**
       * Format: date-time
       * @description The `changedAt` of the policies that were read. Where somebody has changed them since, they are kept as they are, and the answer is 409. Not compared unless given.
       */
      readonly changedAt?: string;
    };
    readonly PolicyFile: {
      readonly name: string;
      readonly content: string;
      readonly workspaces?: readonly string[];
      /** Format: date-time */
      readonly changedAt: string;
    };
    readonly NewMessageTarget: {
      readonly name: components['schemas']['ShortName'];
      /** @enum {unknown} */
      readonly kind: 'webhook' | 'slack' | 'email';
      /** @description It begins with https://, and is never shown again. Of e-mail: the address of somebody. */
      readonly address: string;
      /**
       * @description All of them unless given.
       * @default [
       *       "drift.began",
       *       "drift.changed",
       *       "drift.ended",
       *       "run.failed",
       *       "run.applied",
       *       "plan.waiting"
       *     ]
       */
      readonly events: readonly components['schemas']['MessageEvent'][];
      /** @description The names of the workspaces that it hears of; all unless given. */
      readonly workspaces?: readonly string[];
    };
    readonly MessageTarget: {
      readonly name: string;
      /** @enum {unknown} */
      readonly kind: 'webhook' | 'slack' | 'email';
      /** @description The scheme and the host of its address. Of e-mail, the address. */
      readonly site: string;
      readonly events: readonly components['schemas']['MessageEvent'][];
      readonly workspaces?: readonly string[];
      /** Format: date-time */
      readonly createdAt: string;
      /** @description What signs its messages, only where it was just made. */
      readonly secret?: string;
    };
    /** @description The body of a webhook. `webhook-id` is the same in each attempt. `webhook-signature` is `v1,` and the HMAC-SHA256 of `ID.TIMESTAMP.BODY` in base64, by what follows `whsec_` in the secret. */
    readonly Message: {
      readonly type: components['schemas']['MessageEvent'] | 'test';
      /** Format: date-time */
      readonly timestamp: string;
      readonly data: {
        readonly workspace?: string;
        readonly run?: {
          /** Format: uuid */
          readonly id: string;
          readonly number: number;
          readonly operation: components['schemas']['Run']['operation'];
          readonly status: components['schemas']['Run']['status'];
          readonly commit: string;
        };
        /** @description What the plan changes, by effect, and how many policies wait for the apply (`undecided`). */
        readonly counts?: {
          readonly [key: string]: number;
        };
        readonly drift?: {
          /** Format: date-time */
          readonly beganAt: string;
          /** @description How many resources differ now. */
          readonly count: number;
        };
        /** @description The page of the run, where the server has a public address. */
        readonly link?: string;
      };
    };
    readonly DeadMessage: {
      /** Format: uuid */
      readonly id: string;
      readonly target: string;
      readonly event: string;
      readonly workspace?: string;
      /** Format: date-time */
      readonly at: string;
      /** Format: date-time */
      readonly givenUpAt: string;
      readonly attempts: number;
      readonly fault: string;
    };
    /**
     * @description `view` sees, `plan` starts plans and drift checks, `approve` says yes or no to plans, `apply` plans, applies and destroys, and `admin` does everything.
     * @enum {unknown}
     */
    readonly Role: 'view' | 'plan' | 'approve' | 'apply' | 'admin';
    /** @description A role in one workspace, or in all. `admin` is for all. */
    readonly Grant: {
      readonly role: components['schemas']['Role'];
      readonly workspace?: string;
    };
    /**
     * @example [
     *       {
     *         "role": "plan",
     *         "workspace": "shop"
     *       }
     *     ]
     */
    readonly Grants: readonly components['schemas']['Grant'][];
    readonly NewMember:
      | components['schemas']['NewPerson']
      | components['schemas']['NewToken']
      | components['schemas']['NewGroup'];
    readonly NewPerson: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      readonly kind: 'person';
      readonly name: components['schemas']['MemberName'];
      /** @example https://id.example.com */
      readonly issuer: string;
      readonly subject: string;
      readonly email?: string;
      readonly grants: components['schemas']['Grants'];
    };
    readonly NewToken: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      readonly kind: 'token';
      readonly name: components['schemas']['MemberName'];
      /** @example 90 */
      readonly expiresInDays: number;
      readonly grants: components['schemas']['Grants'];
    };
    readonly NewGroup: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      readonly kind: 'group';
      readonly name: components['schemas']['GroupName'];
      readonly grants: components['schemas']['Grants'];
    };
    /**
     * @description The name as the OpenID provider writes it into its tokens.
     * @example shop-team
     */
    readonly GroupName: string;
    /** @example ci-of-shop */
    readonly MemberName: string;
    readonly MemberEdit: {
      readonly grants?: components['schemas']['Grants'];
      /**
       * @description Who a person is at the git hosts, for commands in comments. Each is the name of a connection and the id of the person there, in place of those before.
       * @example [
       *       "github/583231"
       *     ]
       */
      readonly hostIds?: readonly string[];
    };
    readonly Member: {
      /** Format: uuid */
      readonly id: string;
      /** @enum {unknown} */
      readonly kind: 'person' | 'token' | 'group';
      readonly name: string;
      readonly issuer?: string;
      readonly subject?: string;
      readonly email?: string;
      /**
       * Format: date-time
       * @description When a token ends.
       */
      readonly expiresAt?: string;
      /** Format: date-time */
      readonly createdAt: string;
      readonly hostIds: readonly string[];
      /** @description Groups with roles that a person was in at the last sign-in. They count for seven days, and their roles come to the person's own. */
      readonly groups: readonly string[];
      readonly grants: readonly components['schemas']['Grant'][];
      /** @description The token itself, in the answer to the request that made it. */
      readonly token?: string;
    };
    readonly Me: {
      readonly id: string;
      /** @enum {unknown} */
      readonly kind: 'administrator' | 'person' | 'token';
      readonly name: string;
      /** @description For all workspaces. */
      readonly roles: readonly components['schemas']['Role'][];
    };
    readonly AuditEntry: {
      /** @description From 1, without a gap. */
      readonly seq: number;
      /** Format: date-time */
      readonly at: string;
      readonly actor: {
        readonly id: string;
        /** @enum {unknown} */
        readonly kind: 'administrator' | 'person' | 'token' | 'host' | 'server' | 'stranger';
        readonly name: string;
        /** @description Where the request came from. */
        readonly address: string;
      };
      readonly act: string;
      readonly target: string;
      /** @enum {unknown} */
      readonly result: 'done' | 'refused';
      /** @description More about the act, as the text of a JSON object. */
      readonly detail: string;
      /** @description A fingerprint of the key that the entry is written with. Empty for an entry of before there were keys. */
      readonly key: string;
      readonly previous: string;
      readonly hash: string;
    };
    readonly NewDecision: {
      /** @enum {unknown} */
      readonly decision: 'yes' | 'no';
      /** @default  */
      readonly comment: string;
    };
    readonly Approval: {
      /**
       * @description `closed`: the plan was applied, a newer run took its place, or it has no changes.
       * @enum {unknown}
       */
      readonly state: 'notNeeded' | 'waiting' | 'approved' | 'rejected' | 'closed';
      readonly needed: number;
      /** @description The policies that ask for as many, where the workspace itself asks for fewer. */
      readonly policies: readonly string[];
      /** @description How many have said yes, of those who count. */
      readonly given: number;
      readonly byAuthor: boolean;
      readonly applyWhenApproved: boolean;
      /** @description The caller may say yes or no. */
      readonly mayDecide: boolean;
      /** @description The caller started the plan, and does not count. */
      readonly isOwn: boolean;
      /** @description Why the yes of the caller does not count, where they said yes to their own plan. */
      readonly note?: string;
      readonly decisions: readonly {
        readonly member: string;
        readonly name: string;
        /** @enum {unknown} */
        readonly decision: 'yes' | 'no';
        readonly comment: string;
        /** Format: date-time */
        readonly at: string;
        readonly counts: boolean;
        /**
         * @description Why it does not count. Whoever said it started the plan, or has the role no longer. Or it was said about an older plan, and a commit since is of whoever said it, or may be. Or it is a review of whoever opened the pull request, or wrote a commit of it, or may have; or its pull request had shown no plan by then that equals this one.
         * @enum {unknown}
         */
        readonly ignored?: 'author' | 'role' | 'commit' | 'unknownCommit' | 'opened' | 'differs';
        /** @description The older plan that it was said about, where this plan is equal to that one. */
        readonly carriedFrom?: {
          /** Format: uuid */
          readonly id: string;
          readonly number: number;
        };
        /** @description The review at a git host that it is, by the connection and the pull request. */
        readonly review?: {
          readonly connection: string;
          readonly pull: number;
        };
      }[];
      /** @description The plan before, where people said yes to it, and this one differs from it. */
      readonly replaced?: {
        /** Format: uuid */
        readonly id: string;
        readonly number: number;
        readonly approvedBy: readonly string[];
      };
    };
    /** @enum {unknown} */
    readonly WorkspaceStatus:
      'failed' | 'drifted' | 'waiting' | 'running' | 'neverPlanned' | 'inSync' | 'destroyed';
    readonly Workspace: {
      readonly name: string;
      readonly repository: string;
      readonly branch: string;
      readonly directory: string;
      readonly reads: readonly string[];
      readonly poll: boolean;
      readonly connection?: string;
      readonly account?: string;
      readonly applyOnMerge: boolean;
      readonly approvals: {
        readonly count: number;
        readonly byAuthor: boolean;
        readonly hostReviews: boolean;
      };
      readonly applyWhenApproved: boolean;
      readonly after: readonly string[];
      readonly variableSets: readonly string[];
      readonly driftEveryMinutes: number | null;
      readonly applyDrift: boolean;
      readonly allowProbes: readonly string[];
      readonly windows: readonly components['schemas']['ApplyWindow'][];
      readonly freezes: readonly components['schemas']['ApplyFreeze'][];
      /** @description True: the server starts nothing for it by itself. */
      readonly paused: boolean;
      readonly lock?: components['schemas']['WorkspaceLock'];
      /** @description The name of its state in the database, which stays when the workspace is renamed. */
      readonly stateName: string;
      /** @description How the account differs from the state, where a drift check found that it does. */
      readonly drift?: components['schemas']['Drift'];
      /** @description Of a plan that waits; in the overview. */
      readonly approval?: {
        readonly needed: number;
        readonly given: number;
        readonly isRejected: boolean;
        /** @description A yes of the caller is missing. */
        readonly isYours: boolean;
      };
      /** Format: date-time */
      readonly createdAt: string;
      readonly status: components['schemas']['WorkspaceStatus'];
      /**
       * Format: uuid
       * @description The run that the status comes from, drift checks aside.
       */
      readonly settledRun?: string;
      /** @description What the caller may do; of a single workspace. */
      readonly roles?: readonly components['schemas']['Role'][];
      /** @description Why its repository could not be checked. Only in the answer to a request that created or changed it. */
      readonly warning?: string;
      /** @description The newest run; in the overview. */
      readonly lastRun?: components['schemas']['RunMark'];
      /** @description What the plan would do that waits for a person; in the overview. */
      readonly planCounts?: {
        readonly [key: string]: number;
      };
    };
    /** @description Nothing applies or destroys it until somebody unlocks it. */
    readonly WorkspaceLock: {
      /** Format: date-time */
      readonly since: string;
      /** @description Who locked it. */
      readonly by: string;
      readonly reason: string;
    };
    readonly Drift: {
      /**
       * Format: date-time
       * @description When it was found first.
       */
      readonly beganAt: string;
      /**
       * Format: date-time
       * @description When it was found as it is now.
       */
      readonly changedAt: string;
      /**
       * Format: uuid
       * @description The drift check that found it as it is now.
       */
      readonly run: string;
      /** @description How many resources differ. */
      readonly count: number;
      /** @description The first of them. */
      readonly changes: readonly {
        readonly address: string;
        readonly action: string;
      }[];
    };
    readonly RunMark: {
      /** Format: uuid */
      readonly id: string;
      readonly number: number;
      readonly operation: components['schemas']['Run']['operation'];
      readonly status: components['schemas']['Run']['status'];
      readonly commit: string;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly endedAt?: string;
    };
    readonly Overview: {
      readonly hold?: components['schemas']['Hold'];
      /** @description How many workspaces match the search, by their status. */
      readonly counts: {
        readonly failed: number;
        readonly drifted: number;
        readonly waiting: number;
        readonly running: number;
        readonly neverPlanned: number;
        readonly inSync: number;
        readonly destroyed: number;
      };
      /** @description How many match the search and the status. */
      readonly total: number;
      readonly page: number;
      readonly pageSize: number;
      readonly workspaces: readonly components['schemas']['Workspace'][];
    };
    readonly AccountEdit: {
      /** @description Of all workers together; null removes the limit. */
      readonly requestsPerSecond: number | null;
      /** @description How many requests may come at once. By default, those of one second. */
      readonly burst?: number;
    };
    readonly Account: {
      readonly id: string;
      /** @description How many requests all workers together may send in a second. Absent where there is no limit. */
      readonly requestsPerSecond?: number;
      /** @description How many of them may come at once. */
      readonly burst?: number;
      /**
       * Format: date-time
       * @description The service asked everybody to wait until then.
       */
      readonly heldUntil?: string;
      readonly lastHour: {
        /** @description How many requests the runs sent in the last hour. */
        readonly requests: number;
        /** @description How many of them the service refused with 429. */
        readonly refusals: number;
      };
      /** @description The base address; empty where the configuration decides. */
      readonly service: string;
      /** @description Tells the accounts of one service apart: the beginning of a hash of the name, or of the token where there is none. */
      readonly mark: string;
      /** @description What its workspaces call it. */
      readonly name?: string;
      /** Format: date-time */
      readonly seenAt: string;
      readonly workspaceCount: number;
      /** @description The first of their names. */
      readonly workspaces: readonly string[];
      readonly quotas: readonly {
        readonly name: string;
        readonly used: number;
        readonly limit: number;
      }[];
    };
    readonly NewHold: {
      /**
       * @description Shown to everybody.
       * @example The account moves to another region until 18:00.
       */
      readonly reason: string;
    };
    /** @description The server plans, and changes no account until an administrator releases it. */
    readonly Hold: {
      /** Format: date-time */
      readonly since: string;
      readonly reason: string;
      /** @description True: the database was restored or copied from another one. The server holds itself then. */
      readonly isCopy: boolean;
    };
    readonly Server: {
      readonly version: string;
      readonly hold?: components['schemas']['Hold'];
      /**
       * Format: date-time
       * @description When the details of all old runs were looked at last, to delete what is past its end.
       */
      readonly sweptAt?: string;
      /** @description How many browsers are signed in. */
      readonly sessionCount: number;
      readonly key: {
        readonly id: string;
        /** @description How many encrypted texts have an older key. */
        readonly staleTexts: number;
      };
      readonly workers: readonly {
        /** Format: uuid */
        readonly id: string;
        readonly host: string;
        readonly version: string;
        /** Format: date-time */
        readonly startedAt: string;
        readonly runCount: number;
      }[];
    };
    readonly Comparison: {
      /** @description The run of the plan before. */
      readonly with: {
        /** Format: uuid */
        readonly id: string;
        readonly number: number;
      };
      readonly differences: readonly string[];
    };
    readonly NewRun: components['schemas']['NewCommitRun'] | components['schemas']['NewApply'];
    readonly NewCommitRun: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      readonly operation: 'plan' | 'destroy' | 'drift';
      /** @example shop */
      readonly workspace: string;
      /** @description The newest of the branch unless given. */
      readonly commit?: string;
    };
    readonly NewApply: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      readonly operation: 'apply';
      /** Format: uuid */
      readonly plan: string;
    };
    readonly Run: {
      /** Format: uuid */
      readonly id: string;
      readonly number: number;
      readonly workspace: string;
      /**
       * @description A `preview` is shown in a pull request until its plan is made, which waits for an apply of the workspace. It has no saved plan, and nobody approves or applies it.
       * @enum {unknown}
       */
      readonly operation: 'plan' | 'preview' | 'apply' | 'destroy' | 'drift';
      readonly commit: string;
      /**
       * Format: uuid
       * @description The run whose plan it applies, or whose place this preview holds.
       */
      readonly plan?: string;
      /** @description The number of the pull request whose result it plans. */
      readonly pullRequest?: number;
      /** @enum {unknown} */
      readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'superseded';
      /** @description How many runs of the workspace are carried out before: of a run that waits. */
      readonly place?: number;
      /** @description What an apply or a destroy waits for: the release of the server, the unlocking of the workspace, the end of a freeze, or a window. Only where a single run is asked for. */
      readonly held?: string;
      /**
       * Format: date-time
       * @description When its window opens, or the freeze ends. Absent where nobody knows. Of a run with `held`.
       */
      readonly startsAt?: string;
      /** @description How long the apply is expected to take, by what the commands of its account usually take. Of a plan with changes, and only where a single run is asked for. */
      readonly expectedSeconds?: number;
      /** @description Which window the apply fits into: of a plan with changes of a workspace with windows or freezes. Only where a single run is asked for. */
      readonly fits?: string;
      /**
       * Format: date-time
       * @description The service refuses the requests of the account: when the run is tried again. Of a run that waits.
       */
      readonly waitsUntil?: string;
      readonly reason: string;
      readonly attempt: number;
      /**
       * Format: uuid
       * @description The process that carries it out, or did so last.
       */
      readonly worker?: string;
      readonly hasChanges?: boolean;
      readonly changes?: readonly {
        readonly address: string;
        readonly action: string;
      }[];
      readonly progress?: components['schemas']['Progress'];
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly startedAt?: string;
      /** Format: date-time */
      readonly endedAt?: string;
      /** @description Why it has no log, no saved plan and no page any more: of a run that is old. */
      readonly deleted?: string;
      /** @description The number of a plan of a newer commit, for which this plan cannot be run again. Only where a single run is asked for. */
      readonly newerPlan?: number;
    };
    /** @description How far an apply or a destroy is, in steps. A replacement has two. */
    readonly Progress: {
      readonly total: number;
      /** @description Steps that ended well. */
      readonly done: number;
      readonly failed: number;
      /** @description Steps under way; 0 once the run has ended. */
      readonly running: number;
    };
    readonly RunStep: {
      readonly address: string;
      /** @enum {unknown} */
      readonly action:
        | 'create'
        | 'update'
        | 'rebuild'
        | 'restore'
        | 'retire'
        | 'backup'
        | 'delete'
        | 'probe'
        | 'wait';
      readonly attempt: number;
      /** Format: date-time */
      readonly startedAt: string;
      /**
       * Format: date-time
       * @description Absent while the step runs, and where its worker was killed before it ended.
       */
      readonly endedAt?: string;
      /** @enum {unknown} */
      readonly result?: 'applied' | 'failed';
    };
    readonly LogLine: {
      readonly line: number;
      /** Format: date-time */
      readonly at: string;
      /** @enum {unknown} */
      readonly stream: 'output' | 'error' | 'server';
      readonly text: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}

/** The records of the interface, by their names in its contract. */
export type Schemas = components['schemas'];
