import {
  permissionFlags,
  allowEnvFlag,
  policiesFlag,
  allowProbesFlag,
  findAllowFlagVariable,
} from '../flags/allow-flags.ts';

/** A word and its meaning, for a list of two columns. */
export interface HelpTableRow {
  readonly word: string;
  readonly meaning: string;
}

/** Exit codes of the program. */
export const exitCodes: readonly HelpTableRow[] = [
  { word: '0', meaning: 'Done, or no changes.' },
  { word: '1', meaning: 'An error, or a change that failed or whose outcome is unknown.' },
  { word: '2', meaning: 'There are changes (plan --detailed-exitcode).' },
  { word: '3', meaning: 'There are files that are not formatted (fmt --check).' },
  { word: '130', meaning: 'Interrupted, after running changes had ended.' },
];

/** Variables of the environment that the program reads. */
export const environmentVariables: readonly HelpTableRow[] = [
  {
    word: 'HOSTWRIGHT_BASE_URL',
    meaning:
      'The base address of the service. It overrides all of service in the configuration: baseUrl, sandbox and tls.',
  },
  { word: 'HOSTWRIGHT_TOKEN', meaning: 'The access token.' },
  {
    word: 'HOSTWRIGHT_TOKEN_FILE',
    meaning: 'A file with the access token. Used if HOSTWRIGHT_TOKEN is not set.',
  },
  {
    word: 'HOSTWRIGHT_CERT_FILE',
    meaning: 'A client certificate, in PEM. It overrides service.tls in the configuration.',
  },
  { word: 'HOSTWRIGHT_KEY_FILE', meaning: 'Its private key, in PEM.' },
  {
    word: 'HOSTWRIGHT_CONTRACT',
    meaning:
      'The contract file, or FILE@sha256:DIGEST for one content of it. It overrides service.contract.',
  },
  {
    word: 'HOSTWRIGHT_PLAN_KEY',
    meaning:
      'A key that plan --out seals the file with. Where it is set, apply and show read no other plan.',
  },
  { word: 'HOSTWRIGHT_VAR_<name>', meaning: 'The value of the variable with that name.' },
  {
    word: 'HOSTWRIGHT_LOG',
    meaning: 'debug: one line on standard error per request, without secrets.',
  },
  {
    word: 'HOSTWRIGHT_PAGE_URL',
    meaning: 'The address of the page of a plan in the pipeline: the comment links to it.',
  },
  {
    word: 'GITHUB_SHA, CI_COMMIT_SHA, …',
    meaning: 'The commit that a plan shows. Without it, the commit that is checked out.',
  },
  {
    word: allowEnvFlag.variable,
    meaning: 'Names, separated by commas: the same as --allow-env.',
  },
  {
    word: policiesFlag.variable,
    meaning: 'Directories, separated as in PATH: the same as --policies, and beside it.',
  },
  {
    word: allowProbesFlag.variable,
    meaning: '1, or address ranges, separated by commas: the same as --allow-probes.',
  },
  ...Object.values(permissionFlags).map((one) => ({
    word: findAllowFlagVariable(one),
    meaning: `1: the same as ${one.flag}.`,
  })),
  {
    word: 'HTTPS_PROXY, HTTP_PROXY',
    meaning: 'The proxy for requests to the service, as http://user:password@host:port.',
  },
  {
    word: 'NO_PROXY',
    meaning: 'Hosts that are reached without a proxy, separated by commas; * for all.',
  },
  {
    word: 'NODE_EXTRA_CA_CERTS',
    meaning: 'A file with additional trusted certificate authorities, in PEM.',
  },
  { word: 'NO_COLOR', meaning: 'No colours.' },
  { word: 'CI', meaning: 'Progress as in a log, even on a terminal.' },
  { word: 'FORCE_COLOR', meaning: 'Colours, even if the output is not a terminal.' },
];

/** Files that the program reads and writes. */
export const programFiles: readonly HelpTableRow[] = [
  {
    word: '*.yaml, *.yml',
    meaning: 'The configuration: every such file directly in its directory.',
  },
  {
    word: '.hostwright/state.json',
    meaning:
      'The state, beside the configuration: which address is which live resource. Mode 0600.',
  },
  { word: '.hostwright/state.json.backup', meaning: 'The state before the last run.' },
  {
    word: '.hostwright/journal.EPOCH.jsonl',
    meaning: 'What a run is doing, recorded before it is done. The next run continues from it.',
  },
  { word: '.hostwright/lock.json', meaning: 'Who is writing the state.' },
  { word: '.hostwright/sandbox/', meaning: 'The data of the embedded sandbox.' },
  { word: '.hostwright/journey/', meaning: 'The state of "contract journey".' },
  {
    word: '~/.local/state/hostwright/trust/',
    meaning:
      'What you have confirmed: services, and places of states. It is in $XDG_STATE_HOME if that is set.',
  },
];
