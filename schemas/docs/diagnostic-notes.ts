// What the source alone does not tell of a code: what it means where its text is made on the spot, and what helps where
// its hint is. A test holds that no code is without, and that each of these is one.

interface Note {
  /** A sentence. */
  readonly means?: string;
  /** Sentences; each begins with a verb. */
  readonly fix?: string;
}

export const notes: Readonly<Record<string, Note>> = {
  'all-at-once': {
    means: 'Every running VM of the block is out of service at the same time.',
    fix: 'Write `rollout: { atOnce: 1 }` in the block, or apply a part of it with `--target`.',
  },
  'approvals-missing': {
    means:
      'A policy asks for approvals, and a server was to change the account without a plan that somebody could approve, as by a destroy.',
  },
  'assertion-failed': {
    means: 'An assertion of a test is false. The message shows the values that it compared.',
    fix: 'Correct the configuration, or the assertion.',
  },
  'server-refused': {
    fix: 'Use a token with the role admin for all workspaces, correct the file, or run the command again, as the message says.',
  },
  'server-unreachable': {
    fix: 'Check the address and the server, and run the command again: an apply goes on with what is missing.',
  },
  'contract-unwritable': {
    fix: 'Name another file with `--out`, or move away what stands in its place.',
  },
  'base-address-invalid': { fix: 'Correct `service.baseUrl` or `HOSTWRIGHT_BASE_URL`.' },
  'broken-faults': { fix: 'Write the fault script as YAML or JSON, as in `examples/faults`.' },
  'broken-yaml': {
    means: 'The file is not valid YAML. The message names the line and the reason.',
    fix: 'Correct the marked line: its indentation, quotes and brackets.',
  },
  'invalid-probe': {
    means: 'A value of a probe comes to nothing that can be asked, for example to no URL.',
    fix: 'Correct the probe, or the expression in it.',
  },
  'not-ready': {
    means: 'The probes of the rollout did not hold within its time. The VM runs with its change.',
    fix: 'Correct what the message shows, and apply again: the VM is probed first, or changed.',
  },
  'rollout-held': {
    means: 'A check does not hold, so that the next instance of a module does not begin.',
  },
  'not-ready-yet': {
    means: 'An earlier apply changed the VM, and ended before its probes held.',
  },
  'other-contract': {
    fix: 'Compare the lines that are named with the service. If they are right, add `--allow-other-contract`.',
  },
  'contract-invalid': {
    means:
      'The contract file says what it must not say, or names what the contract does not have. The message names the line and the reason.',
    fix: 'Correct the marked line.',
  },
  'check-broken': {
    means: 'A condition of `checks` cannot be evaluated.',
    fix: 'Correct the expression at the marked line.',
  },
  'check-failed': {
    means: 'A condition of `checks` is false. The message is that of the check.',
    fix: 'Change the configuration so that the check holds, or change the check.',
  },
  'check-undecided': {
    means: 'A condition of `checks` reads a value that is only known after apply.',
    fix: 'Read the result after the apply.',
  },
  'conflicting-options': { fix: 'Give one of the two flags.' },
  'connection-error': {
    means: 'The service cannot be reached, or the connection to it broke.',
    fix: 'Check the address, the network and the proxy: `hostwright doctor` tests all three.',
  },
  'dangling-reference': { fix: 'Use the key of a resource that exists, or add the resource.' },
  'data-loss': {
    fix: 'Allow it with `--allow-data-loss`, or change the configuration so that nothing is lost.',
  },
  'each-outside-count': { fix: 'Add `count` or `forEach` to the block, or remove the expression.' },
  'earlier-run-failed': { fix: 'Read the reason, then apply again.' },
  'empty-configuration': {
    fix: 'Check the directory. To destroy everything on purpose, use `hostwright destroy`.',
  },
  'events-unwritable': { fix: 'Choose a path for `--json-into` that can be written.' },
  'file-exists': {
    means: 'A file that would be written is there already, and Hostwright did not write it.',
  },
  'file-not-writable': { means: 'The file of `writeTo` cannot be written.' },
  'file-too-large': { means: 'A file is larger than the limit.' },
  'forgotten-in-exclusive': {
    means:
      'An entry of `removed` gives up a resource of an exclusive project. The next plan would destroy it, since nothing tells any more that it is to stay.',
    fix: 'Name the resource in `ignoreUnmanaged` of its project as well, or take `exclusive` away. To destroy it, write `destroy: true`.',
  },
  'id-unusable': {
    means: 'An id has characters that no id of the service has.',
    fix: 'Use the id that the service shows for the resource.',
  },
  'in-progress': { means: 'An earlier run started this change, and the service is still at it.' },
  'internal-error': { fix: 'Report the bug with the text below the message.' },
  'invalid-faults': {
    means: 'The fault script has a key or a value that does not exist.',
    fix: 'Correct the marked place; `examples/faults` has scripts to start from.',
  },
  'invalid-module-source': {
    fix: 'Name a directory below that of the configuration, or a git repository.',
  },
  'invalid-setting': {
    means: 'A setting of the sandbox is out of range.',
    fix: 'Correct the value of the flag that the message names.',
  },
  'invalid-type': {
    means: 'A value has the wrong type, such as text in place of a number.',
    fix: 'Write a value of the type that the message names.',
  },
  'journal-replayed': {
    means:
      'A run was interrupted, or is still at work: what it did is read from its journal. An apply continues from there.',
  },
  'lock-failed': {
    means: 'The lock of the state cannot be taken or read. The message says why.',
    fix: 'Check the state in PostgreSQL: that it can be reached, and that its role may use the schema. [A role for the states](server.md#a-role-for-the-states) shows how to create both.',
  },
  'lease-too-short': {
    means:
      'One sign of life takes longer than the lease, so that another run could take the lock of a run that lives.',
    fix: 'Set a longer lease in `state`; the message names one that is long enough.',
  },
  'lock-lost': {
    means: 'Another run took over the lock of the state, so this one stopped changing anything.',
    fix: 'Wait for the other run, then plan again.',
  },
  'missing-argument': { fix: 'Add the argument: `--help` behind the command shows it.' },
  'missing-value': { fix: 'Add the value behind the flag.' },
  'module-not-fetched': { fix: 'Run `hostwright init` in the directory of the configuration.' },
  'network-in-use': {
    means: 'VMs are still attached to a network that would be deleted.',
    fix: 'Detach the VMs first, or delete them in the same plan.',
  },
  'not-a-file': {
    means: 'A path of the configuration is a directory, a link to nowhere or a device.',
  },
  'not-sent': {
    means: 'A request was not sent, because the run was interrupted or its time was over.',
    fix: 'Run the same command again.',
  },
  'not-the-service': {
    means:
      'Something else answered: a proxy, a sign-in page or another server. Or the service answers in another shape than the contract has: then the message shows the keys that came.',
    fix: 'Check the base address and the proxy: `hostwright doctor`. Where the message shows keys, bind the service: `hostwright contract bind`.',
  },
  'other-authority': {
    fix: 'Check the certificate. If it has changed on purpose, add `--allow-other-service`.',
  },
  'other-state-host': {
    means:
      'The credentials for the state would go to a host that only the configuration names, and that nobody has confirmed.',
  },
  'output-failed': { fix: 'Correct the expression of the output.' },
  'plan-with-other-options': {
    fix: 'Give `apply` the directory, variables and options that the message lists, or make the plan again.',
  },
  'plan-file-unwritable': { fix: 'Choose a path for `--out` that can be written.' },
  'policy-broken': {
    means: 'A condition of `policies` cannot be evaluated.',
    fix: 'Correct the expression at the marked line.',
  },
  'policy-exempted': {
    means: 'A planned change does not meet a policy, and an exemption allows that for a while.',
    fix: 'Change the configuration so that the policy holds, before the exemption ends.',
  },
  'policy-undecided': {
    means:
      'A condition of `policies` reads a value that is not known yet. A note says that it is judged during the apply, before any request for the change. A condition that denies and cannot be judged by then is an error. One with `approve` asks for approvals all the same.',
    fix: 'Have the condition decide without that value, use `checks` for the result, or set `severity: warn`.',
  },
  'policy-violated': {
    means:
      'A planned change does not meet a condition of `policies`. With `approve`, a server waits for so many approvals.',
    fix: 'Change the configuration so that the policy holds, or have the policy changed.',
  },
  'probe-not-allowed': {
    means:
      'A probe of a rollout needs leave: for all of them, or for the private range that it would reach.',
  },
  'project-not-empty': {
    means: 'A project that would be deleted still holds something that Hostwright does not manage.',
    fix: 'Delete what it holds, import it, or take the project out with a `removed` entry.',
  },
  'public-ip-in-use': {
    means: 'A VM still uses a public IP that would be deleted.',
    fix: 'Take the public IP from the VM first, or delete the VM in the same plan.',
  },
  'sandbox-data': {
    means: 'The data directory of the sandbox cannot be used.',
    fix: 'Choose another directory with `--data`, or correct its owner and permissions.',
  },
  'scopes-unknown': { fix: 'Give the scopes with `--scopes`.' },
  'service-error': {
    means: 'The service answered a request with an error that has no code of its own.',
    fix: 'Run the command again later. `HOSTWRIGHT_LOG=debug` shows the requests.',
  },
  'state-backend': { fix: 'Correct `state` in the configuration, or `HOSTWRIGHT_STATE`.' },
  'state-set-back': {
    means:
      'The place of the state has less than it had confirmed to a run, as a database has that fails over to a copy which lacks the last writes, or that is restored. The run stopped, and saved all that it knows.',
    fix: 'Make sure which copy stays, then run the command again in the same directory: it uploads what was saved.',
  },
  'state-takes-late': {
    means:
      'The server takes a write with the ID of a lock that was released, while nobody holds one: a late write can put an older state back.',
    fix: 'Use `force-unlock` only when the run has ended, or choose another server or backend.',
  },
  'still-configured': { fix: 'Remove the block from the configuration, or the `removed` entry.' },
  'too-many-arguments': { fix: 'Remove the arguments that the command does not take.' },
  'too-many-deletes': {
    fix: 'Read what would be destroyed. If it is right, plan with `--force`.',
  },
  'too-much-downtime': {
    means: 'The plan takes something out of service that runs, for longer than `guards.downtime`.',
    fix: 'Read the [forecast](rollout.md#the-forecast). If it is right, plan with `--force`.',
  },
  'unknown-function': { fix: 'Use one of the [functions](functions.md).' },
  'unknown-scope': {
    fix: 'Use `full`, `read`, `compute`, `network`, `account` or `tokens`.',
  },
  'unreadable-file': { fix: 'Check the path and its permissions.' },
  'vm-busy': {
    means: 'The service is at work on the VM, and refuses other work meanwhile.',
    fix: 'Wait for the end of the operation. An apply waits for it by itself.',
  },
  'waiting-for-lock': { means: 'Another run holds the lock of the state. This one waits for it.' },
  'wrong-base-address': {
    fix: 'Correct `service.baseUrl` or `HOSTWRIGHT_BASE_URL`; it ends in `/v1`.',
  },
};
