// Terraform's and OpenTofu's flags, and Terraform's commands, that ours does not have, each with its counterpart here. Hints are whole sentences.

/** A flag of Terraform that Hostwright does not have, with what to use in its place. */
export interface UnsupportedTerraformFlag {
  readonly hint: string;
  /** Values of the flag that ask for what Hostwright does in any case, so that the flag can be left out. */
  readonly harmless?: readonly string[];
}

const stateHint =
  'Name the place of the state in the block `state` of the configuration, or in HOSTWRIGHT_STATE.';
const backupHint =
  'Leave it out: every run keeps the state before it. "hostwright state history" lists the versions.';
const backendHint = `${stateHint} Then move the state with "hostwright state migrate --to FILE".`;
const dryRunHint = 'Leave it out, and look first with "hostwright state list ADDRESS".';
const planFirst = 'Use "hostwright plan": it shows the same, and changes nothing.';
const listHint = 'Look into one address: hostwright state show ADDRESS.';
const loadsNothing = 'Leave it out: there are no providers or plugins to install.';
const getHint =
  'Leave it out, or run "hostwright init" for modules from git. All others are read from their directories.';
const testsHint = 'Leave it out: a configuration is validated without its tests.';

/** Terraform's flags by their names without dashes. */
export const terraformFlagHints: ReadonlyMap<string, UnsupportedTerraformFlag> = new Map<
  string,
  UnsupportedTerraformFlag
>([
  // `-input=false` is read where the line is: nobody is asked then.
  ['input', { hint: 'Write --input=false, or leave it out.', harmless: ['true'] }],
  [
    'lock',
    {
      hint: 'Leave it out: a plan takes no lock, and an apply always takes it. --lock-timeout 10m waits for it.',
      harmless: ['true'],
    },
  ],
  [
    'refresh',
    {
      hint: 'Leave it out: every plan reads the live account. --target ADDRESS limits what is planned.',
      harmless: ['true'],
    },
  ],
  ['state', { hint: stateHint }],
  ['state-out', { hint: stateHint }],
  ['backup', { hint: backupHint }],
  ['backup-out', { hint: backupHint }],
  ['backend', { hint: 'Leave it out: init connects to no backend.' }],
  ['backend-config', { hint: backendHint }],
  ['reconfigure', { hint: backendHint }],
  ['force-copy', { hint: 'Use --migrate-state.' }],
  ['plugin-dir', { hint: loadsNothing }],
  ['get-plugins', { hint: loadsNothing }],
  ['get', { hint: getHint, harmless: ['true'] }],
  ['from-module', { hint: 'Copy the directory, and name it as the `source` in `modules`.' }],
  [
    'generate-config-out',
    { hint: 'Use "hostwright export --project NAME --out DIR": it writes the configuration too.' },
  ],
  ['config', { hint: 'Give the directory of the configuration with --chdir.' }],
  ['allow-missing', { hint: 'Leave it out, and use "hostwright apply --replace ADDRESS".' }],
  ['allow-missing-config', { hint: 'Write the block into the configuration first.' }],
  [
    'ignore-remote-version',
    { hint: 'Leave it out: a state is read by any version from its own on.' },
  ],
  ['show-sensitive', { hint: 'Use "hostwright output NAME --raw" for one sensitive value.' }],
  ['dry-run', { hint: dryRunHint }],
  ['id', { hint: listHint }],
  ['draw-cycles', { hint: 'Leave it out: a cycle is an error that names all of its members.' }],
  ['module-depth', { hint: 'Leave it out: every resource has a node.' }],
  ['type', { hint: 'Use --plan FILE for the graph of a saved plan.' }],
  ['list', { hint: 'Send the output to /dev/null.', harmless: ['true'] }],
  ['write', { hint: 'Use --check to change no file.', harmless: ['true'] }],
  ['no-tests', { hint: testsHint }],
  ['query', { hint: 'Leave it out: there are no files of queries to validate.' }],
  ['junit-xml', { hint: 'Use --format junit, and send standard output into a file.' }],
  ['concise', { hint: 'Use "hostwright plan --oneline": it shows one line a resource.' }],
  ['consolidate-warnings', { hint: 'Leave it out: every warning is shown.', harmless: ['true'] }],
  ['consolidate-errors', { hint: 'Leave it out: every error is shown.', harmless: ['false'] }],
  ['target-file', { hint: 'Use --target ADDRESS, once for each address of the file.' }],
  ['exclude-file', { hint: 'Use --exclude ADDRESS, once for each address of the file.' }],
  ['test-directory', { hint: testsHint }],
]);

/** Hints for commands of Terraform that Hostwright does not have: what to use in their place, by the words of the command. */
export const terraformCommandHints: ReadonlyMap<string, string> = new Map([
  ['taint', 'Use "hostwright apply --replace ADDRESS".'],
  ['untaint', 'Leave it out: nothing is marked. Only --replace ADDRESS replaces a resource.'],
  ['refresh', 'Use "hostwright apply --refresh-only".'],
  [
    'workspace',
    'Keep a directory for each environment, or give one --var-file and HOSTWRIGHT_STATE for each.',
  ],
  ['get', getHint],
  ['modules', 'Use "hostwright graph" to see the instances of every module.'],
  [
    'providers',
    'Leave it out: the one provider is built in. "hostwright version" shows its version.',
  ],
  ['login', 'Set HOSTWRIGHT_TOKEN or HOSTWRIGHT_TOKEN_FILE, or give --token-command.'],
  ['logout', 'Unset HOSTWRIGHT_TOKEN. "hostwright tokens revoke NAME" ends a token.'],
  ['metadata', 'Read schemas/config.schema.json for the shape of the configuration.'],
  ['state replace-provider', 'Leave it out: the one provider is built in.'],
]);

/** Flags that `plan` has and an apply has not, each as `plan` takes it, with what there is to say. */
const planFlags: readonly (readonly [flag: string, written: string, rest: string])[] = [
  ['detailed-exitcode', '--detailed-exitcode', ': an apply exits with 0 once everything is done.'],
  ['out', '--out FILE', ', and then "hostwright apply FILE".'],
  ['format', '--format FORMAT', ': an apply tells programs what it does with --json.'],
  ['oneline', '--oneline', ': it shows the plan, and changes nothing.'],
  ['explain', '--explain ADDRESS', ': it explains the plan, and changes nothing.'],
  ['rehearse', '--rehearse', ': it tries the plan out, and changes nothing.'],
];

/** Flags of other commands and tools, by the command where that matters: what to use in their place. */
export const foreignFlagHints: ReadonlyMap<string, string> = new Map([
  ['plan dry-run', 'Leave it out: a plan changes nothing.'],
  ['apply dry-run', planFirst],
  ['destroy dry-run', 'Use "hostwright plan --destroy": it shows the same, and changes nothing.'],
  ['import dry-run', 'Use an entry in `imports`, and "hostwright plan" to look at it first.'],
  ['init json', 'Leave it out: init prints lines for people alone. Its exit code tells the end.'],
  ['init lock-timeout', 'Leave it out: only a migration of the state takes its lock.'],
  ['console plan', 'Leave it out: the console reads the configuration, the state and the account.'],
  ['test verbose', 'Leave it out: a step that fails says which values made it so.'],
  ['test cloud-run', 'Leave it out: tests run on the embedded sandbox, on this machine.'],
  [
    'destroy force',
    'Leave it out. --auto-approve skips the question, and `maxDeletes` does not limit a destroy.',
  ],
  ['plan auto-approve', 'Leave it out: a plan asks nothing. "hostwright apply" has it.'],
  ...['apply', 'destroy'].flatMap((command) =>
    planFlags.map(([flag, written, rest]): [string, string] => {
      const plan = command === 'destroy' ? 'plan --destroy' : 'plan';
      return [`${command} ${flag}`, `Use "hostwright ${plan} ${written}"${rest}`];
    }),
  ),
  ['yes', 'Use --auto-approve.'],
  ['y', 'Use --auto-approve.'],
]);
