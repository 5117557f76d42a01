import type { Command } from 'commander';

const web = "'projects.shop.vms.web[0]'";

/** Examples by command, what follows `hostwright`; for the help texts and the manual page. */
const examples: Readonly<Record<string, readonly string[]>> = {
  hostwright: ['init hosting', 'plan hosting', 'apply hosting'],
  init: [
    'init hosting',
    'init hosting --base-url https://api.example.com/v1',
    'init hosting --from-account',
    'init hosting --upgrade',
  ],
  plan: [
    'plan hosting',
    'plan hosting --out plan.hwp',
    `plan --target ${web} --detailed-exitcode`,
    'plan hosting --rehearse',
    'plan hosting --faults faults/lost-answers.yaml --rehearsals 100',
    `plan --explain ${web}`,
    'plan hosting --oneline',
    'plan --format html > plan.html',
  ],
  apply: [
    'apply hosting',
    'apply plan.hwp hosting',
    'apply hosting --auto-approve --json-into events.jsonl',
  ],
  restore: ['restore projects.shop.vms.web hosting'],
  destroy: ['destroy hosting', 'destroy hosting --exclude projects.shop.publicIps.edge'],
  validate: ['validate hosting', 'validate hosting --format sarif > findings.sarif'],
  test: [
    'test hosting',
    'test hosting/shop.test.yaml --filter "web server"',
    'test hosting --format junit > junit.xml',
  ],
  fmt: ['fmt', 'fmt hosting --recursive', 'fmt --check --diff', 'fmt - < main.yaml'],
  'contract bind': [
    'contract bind service.json',
    'contract bind service.json --overlay corrections.json',
  ],
  'contract probe': ['contract probe hosting --out probed.contract.yaml'],
  'contract check': ['contract check hosting', 'contract check hosting --json'],
  'contract show': ['contract show hosting'],
  show: [
    'show plan.hwp',
    'show plan.hwp --oneline',
    'show plan.hwp --compare older.hwp',
    'show --format html > report.html',
    'show --json',
  ],
  ssh: [`ssh ${web}`, `ssh ${web} --user root -- uptime`, `ssh projects.shop.vms.db --via ${web}`],
  'ssh-config': ['ssh-config > shop.config', 'ssh-config --user root'],
  inventory: ['inventory > inventory.yaml', 'inventory --format json'],
  drift: ['drift hosting', 'drift --detailed-exitcode --json'],
  'drift show': ['drift', 'drift hosting --json'],
  'drift accept': ['drift accept projects.shop.vms.web.image'],
  state: ['state list', `state show ${web}`],
  'state list': ['state list', 'state list projects.shop.vms'],
  'state show': [`state show ${web}`],
  'state mv': ['state mv projects.shop.vms.web projects.shop.vms.app'],
  'state rm': [`state rm ${web}`],
  'state accept': ['state accept projects.shop.vms.db.plugins'],
  'state pull': ['state pull > backup.json'],
  'state push': ['state push backup.json'],
  'state history': ['state history'],
  'state rollback': ['state rollback 12'],
  'state journal': ['state journal', 'state journal --keep journal.jsonl --drop 7'],
  'state lock': ['state lock --reason "maintenance of the service until noon"'],
  'state unlock': ['state unlock'],
  'state migrate': ['state migrate --to places/new.yaml'],
  'state resolve': [
    'state resolve projects.shop.vms.web --id vm-1a2b',
    'state resolve projects.shop.vms.web --gone',
  ],
  import: [`import ${web} vm-7f3k2m9q`],
  limits: ['limits hosting', 'limits --json'],
  catalog: ['catalog', 'catalog tariffs hosting', 'catalog configurations --json'],
  'force-unlock': ['force-unlock 5b2f1c1e-6a0d-4a57-9d0e-0b8c1f1f2a3b'],
  version: ['version'],
  export: ['export --project shop > shop/main.yaml', 'export --all'],
  output: ['output', 'output webIp --raw', 'output --json'],
  console: ['console', 'console < expressions.txt'],
  graph: ['graph --format svg > graph.svg', 'graph --plan plan.hwp --format svg > plan.svg'],
  vm: [`vm reboot ${web}`, `vm backups ${web}`],
  'vm start': [`vm start ${web}`],
  'vm stop': [`vm stop ${web}`],
  'vm reboot': [`vm reboot ${web} --no-wait`, "vm reboot 'projects.shop.vms.web[*]'"],
  'vm backup': [`vm backup ${web}`],
  'vm backups': [`vm backups ${web}`],
  'vm restore': [`vm restore ${web} bak-7f3k2m9q`, `vm restore ${web} --latest`],
  'vm metrics': [`vm metrics ${web}`],
  operations: ['operations --status Failed', `operations --resource ${web} --limit 5`],
  tokens: ['tokens list', 'tokens create ci --scopes compute --expires 90d --out ci.token'],
  'tokens list': ['tokens list'],
  'tokens create': [
    'tokens create ci --scopes compute --expires 90d --out ci.token',
    'tokens create reader --scopes read --expires 2027-01-31',
  ],
  'tokens rename': ['tokens rename ci deploy'],
  'tokens revoke': ['tokens revoke ci'],
  notifications: ['notifications list', 'notifications read --all'],
  'notifications list': ['notifications list --limit 5'],
  'notifications read': ['notifications read ntf-7f3k2m9q', 'notifications read --all'],
  'notifications preferences': ['notifications preferences --set quotaLow=false'],
  account: ['account', 'account locale de-CH'],
  'account show': ['account'],
  'account locale': ['account locale', 'account locale de-CH'],
  sales: ['sales list', `sales cancel ${web}`],
  'sales list': ['sales list'],
  'sales cancel': [`sales cancel ${web}`],
  'sales resume': [`sales resume ${web}`],
  doctor: ['doctor hosting', 'doctor --json'],
  mcp: ['mcp hosting'],
  contract: ['contract journey hosting'],
  'contract journey': ['contract journey hosting', 'contract journey hosting --yes "0.01 EUR"'],
  sandbox: [
    'sandbox',
    'sandbox --port 8080 --speed 20 --data sandbox-data',
    'sandbox --faults examples/faults/flaky-network.yaml',
  ],
  server: [
    'server --database postgres://hostwright@db.example.com/hostwright',
    'server --port 8090 --no-runs',
    'server --sign-in-link --public-url https://hostwright.example.com',
  ],
  'server plan': ['server plan workspaces.yaml', 'server plan workspaces.yaml --detailed-exitcode'],
  'server apply': ['server apply workspaces.yaml', 'server apply workspaces.yaml --auto-approve'],
  worker: ['worker --database postgres://hostwright@db.example.com/hostwright'],
  completion: ['completion fish > ~/.config/fish/completions/hostwright.fish'],
};

/** The words behind `hostwright` that call a command; empty for the program itself. */
export function formatCommandPath(command: Command): string {
  return command.parent ? `${formatCommandPath(command.parent)} ${command.name()}`.trim() : '';
}

/** True for a command that only groups others. One that has flags of its own does something, too. */
export function isCommandGroup({ commands, options }: Command): boolean {
  return commands.length > 0 && options.length === 0;
}

/** Lists complete command lines as examples of a command, for its help. */
export function listCommandExamples(command: Command): readonly string[] {
  return (examples[formatCommandPath(command) || 'hostwright'] ?? []).map(
    (line) => `hostwright ${line}`,
  );
}

/** Ends the help of a command with its examples. */
export function addHelpExamples(command: Command): void {
  const lines = listCommandExamples(command).map((line) => `  $ ${line}`);
  const title = lines.length === 1 ? 'Example:' : 'Examples:';
  if (lines.length > 0) command.addHelpText('after', `\n${[title, ...lines].join('\n')}`);
}
