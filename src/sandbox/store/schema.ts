/** Version of the data file's schema, raised with every change of it; a file of another version is refused. */
export const sandboxDataFileVersion = 1;

const member = `
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  projectId TEXT NOT NULL,
  createdAt INTEGER NOT NULL`;

const tablesSql = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE tallies (
  owner TEXT NOT NULL, kind TEXT NOT NULL, amount INTEGER NOT NULL, PRIMARY KEY (owner, kind)
) WITHOUT ROWID;
CREATE TABLE accounts (
  id TEXT PRIMARY KEY, email TEXT NOT NULL, locale TEXT NOT NULL, preferences TEXT NOT NULL,
  createdAt INTEGER NOT NULL
);
CREATE TABLE tokens (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  valueHash TEXT NOT NULL UNIQUE, scopes TEXT NOT NULL, expiresAt INTEGER, createdAt INTEGER NOT NULL,
  lastUsedAt INTEGER
);
CREATE TABLE projects (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  createdAt INTEGER NOT NULL
);
CREATE TABLE sshKeys (${member},
  name TEXT NOT NULL, publicKey TEXT NOT NULL, fingerprint TEXT NOT NULL
);
CREATE TABLE networks (${member},
  name TEXT NOT NULL, status TEXT NOT NULL, cidr TEXT NOT NULL
);
CREATE TABLE attachments (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, networkId TEXT NOT NULL, vmId TEXT NOT NULL,
  host INTEGER NOT NULL, reservedHost INTEGER, internalIp TEXT NOT NULL, status TEXT NOT NULL,
  UNIQUE (networkId, vmId)
);
CREATE TABLE publicIps (${member},
  status TEXT NOT NULL, address TEXT NOT NULL UNIQUE, vmId TEXT, saleId TEXT NOT NULL
);
CREATE TABLE portForwards (${member},
  publicIpId TEXT NOT NULL, status TEXT NOT NULL, protocol TEXT NOT NULL, publicPort INTEGER NOT NULL,
  reservedPort INTEGER, vmId TEXT NOT NULL, vmPort INTEGER NOT NULL
);
CREATE TABLE vms (${member},
  name TEXT NOT NULL, status TEXT NOT NULL, bootStatus TEXT NOT NULL, configurationId TEXT NOT NULL,
  imageId TEXT NOT NULL, tariffId TEXT NOT NULL, cpu INTEGER NOT NULL, ram INTEGER NOT NULL,
  disk INTEGER NOT NULL, sshKeyIds TEXT NOT NULL, sshPublicKeys TEXT NOT NULL, plugins TEXT NOT NULL,
  saleId TEXT NOT NULL, operationId TEXT
);
CREATE TABLE backups (${member},
  vmId TEXT NOT NULL, status TEXT NOT NULL, size INTEGER NOT NULL, sourceImageId TEXT
);
CREATE TABLE operations (${member},
  commandId TEXT NOT NULL UNIQUE, type TEXT NOT NULL, resourceType TEXT NOT NULL, resourceId TEXT NOT NULL,
  vmId TEXT, startsAt INTEGER NOT NULL, completesAt INTEGER NOT NULL, failureCode TEXT,
  effects TEXT NOT NULL, completedAt INTEGER
);
CREATE TABLE notifications (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, title TEXT NOT NULL,
  message TEXT NOT NULL, projectId TEXT, resourceType TEXT, resourceId TEXT,
  createdAt INTEGER NOT NULL, readAt INTEGER
);
CREATE TABLE sales (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, resourceType TEXT NOT NULL,
  resourceId TEXT NOT NULL, tariffId TEXT NOT NULL, renewal TEXT NOT NULL, paidUntil INTEGER NOT NULL,
  createdAt INTEGER NOT NULL
);`;

const indexesSql = `
CREATE INDEX projectsByName ON projects (name);
CREATE INDEX sshKeysByName ON sshKeys (projectId, name);
CREATE INDEX sshKeysByProject ON sshKeys (projectId, seq);
CREATE INDEX networksByName ON networks (projectId, name);
CREATE INDEX networksByProject ON networks (projectId, seq);
CREATE INDEX attachmentsByVm ON attachments (vmId, seq);
CREATE INDEX publicIpsByProject ON publicIps (projectId, seq);
CREATE INDEX publicIpsByVm ON publicIps (vmId);
CREATE INDEX portForwardsByIp ON portForwards (publicIpId, protocol, publicPort);
CREATE INDEX vmsByName ON vms (projectId, name);
CREATE INDEX vmsByProject ON vms (projectId, seq);
CREATE INDEX backupsByVm ON backups (vmId, seq);
CREATE INDEX operationsByProject ON operations (projectId, seq);
CREATE INDEX operationsByResource ON operations (resourceId, seq);
CREATE INDEX operationsDue ON operations (completesAt, seq) WHERE completedAt IS NULL;
CREATE INDEX operationsRunning ON operations (projectId, seq) WHERE completedAt IS NULL;
CREATE INDEX operationsOfVm ON operations (vmId) WHERE completedAt IS NULL;
CREATE INDEX notificationsUnread ON notifications (seq) WHERE readAt IS NULL;
CREATE INDEX salesByResource ON sales (resourceId);`;

interface Tally {
  readonly table: string;
  /** SQL over `ROW`: the owner of the count, its name, and the amount that a row adds to it. */
  readonly owner: string;
  readonly kind: string;
  readonly amount: string;
  /** Column that decides which count a row is in, where it changes in the life of the row. */
  readonly follows?: string;
}

const account = "'account'";

/** Counts that rows add to while they exist; triggers keep them, so that quotas need no scan. */
const tallied: readonly Tally[] = [
  { table: 'tokens', owner: account, kind: "'accessTokens'", amount: '1' },
  { table: 'projects', owner: account, kind: "'projects'", amount: '1' },
  { table: 'networks', owner: account, kind: "'networks'", amount: '1' },
  { table: 'networks', owner: 'ROW.projectId', kind: "'networks'", amount: '1' },
  { table: 'publicIps', owner: account, kind: "'publicIps'", amount: '1' },
  { table: 'publicIps', owner: 'ROW.projectId', kind: "'publicIps'", amount: '1' },
  { table: 'sshKeys', owner: 'ROW.projectId', kind: "'sshKeys'", amount: '1' },
  { table: 'vms', owner: 'ROW.projectId', kind: "'vms'", amount: '1' },
  {
    table: 'vms',
    owner: 'ROW.projectId',
    kind: "'status ' || ROW.status",
    amount: '1',
    follows: 'status',
  },
  {
    table: 'vms',
    owner: 'ROW.projectId',
    kind: "'power ' || ROW.bootStatus",
    amount: '1',
    follows: 'bootStatus',
  },
  { table: 'vms', owner: account, kind: "'cpu'", amount: 'ROW.cpu' },
  { table: 'vms', owner: account, kind: "'ram'", amount: 'ROW.ram' },
  { table: 'vms', owner: account, kind: "'disk'", amount: 'ROW.disk' },
  { table: 'vms', owner: "'cluster'", kind: 'ROW.configurationId', amount: '1' },
  { table: 'operations', owner: 'ROW.projectId', kind: "'operations'", amount: '1' },
  { table: 'notifications', owner: account, kind: "'notifications'", amount: '1' },
  {
    table: 'notifications',
    owner: account,
    kind: "'unread'",
    amount: 'ROW.readAt IS NULL',
    follows: 'readAt',
  },
];

const addingSql = (tally: Tally, row: 'OLD' | 'NEW'): string =>
  `INSERT INTO tallies VALUES (${tally.owner}, ${tally.kind}, ${row === 'OLD' ? '-' : ''}(${tally.amount}))
    ON CONFLICT (owner, kind) DO UPDATE SET amount = amount + excluded.amount;`.replaceAll(
    'ROW.',
    `${row}.`,
  );

function triggersOf(tally: Tally, index: number): string[] {
  const { table, follows } = tally;
  const trigger = (event: string, steps: string) =>
    `CREATE TRIGGER tally${index}${event.slice(0, 6)} AFTER ${event} ON ${table} BEGIN ${steps} END;`;
  const [adding, removing] = [addingSql(tally, 'NEW'), addingSql(tally, 'OLD')];
  return [
    trigger('INSERT', adding),
    trigger('DELETE', removing),
    ...(follows === undefined ? [] : [trigger(`UPDATE OF ${follows}`, removing + adding)]),
  ];
}

const triggersSql = tallied.flatMap(triggersOf).join('\n');

/** SQL that creates the tables of an empty data file. */
export const dataFileSchemaSql = [tablesSql, indexesSql, triggersSql].join('\n');
