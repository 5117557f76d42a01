import { quoteText } from '../format/escape.ts';

/** How the file is called that a first configuration's editor support comes from. */
export const schemaFileName = 'hostwright.schema.json';
/** The same for its tests. */
export const testSchemaFileName = 'hostwright.test.schema.json';
/** How the file with the first test is called. */
export const testsFileName = 'main.test.yaml';

const sandboxService = `# Where the account is. This one is the sandbox that is built in, ten times faster than the service: it keeps its data
# under .hostwright/ and costs nothing. For a real account, write its address in its place, and give the access token
# in the environment, as HOSTWRIGHT_TOKEN or HOSTWRIGHT_TOKEN_FILE:
#   baseUrl: https://api.example.com/v1
service:
  sandbox: { speed: 10 }
`;

const remoteService = (
  baseUrl: string,
) => `# Where the account is. The access token comes from the environment, as HOSTWRIGHT_TOKEN or HOSTWRIGHT_TOKEN_FILE: it
# does not belong here.
service:
  baseUrl: ${quoteText(baseUrl)}
`;

/** A first configuration with comments: for an account at an address, or for the embedded sandbox. */
export function renderFirstConfiguration(baseUrl: string | undefined): string {
  return `# yaml-language-server: $schema=./${schemaFileName}
# What the account should hold. "hostwright plan" shows what would change, "hostwright apply" changes it. Every *.yaml
# file in this directory belongs to the configuration.
version: 1

${baseUrl === undefined ? sandboxService : remoteService(baseUrl)}
projects:
  # The way to a thing is its address: projects.demo, projects.demo.vms.web. Its key is also its name on the service,
  # unless \`name:\` gives another.
  demo:
    # Who may log in: name your public key here, and write \`sshKeys: [me]\` at the VM.
    # sshKeys:
    #   me: { publicKeyFile: /home/me/.ssh/id_ed25519.pub }

    # A private network. The service assigns its address range.
    networks:
      backend: {}

    # A public address. What arrives at its TCP port 443 goes to port 8443 of the VM.
    publicIps:
      edge:
        forwards:
          https: { protocol: tcp, publicPort: 443, vm: web, vmPort: 8443 }

    vms:
      web:
        # These three go by name or id, as the service offers them: a plan tells what there is when one is not there.
        image: ubuntu-24.04
        configuration: c2-r4-d40
        tariff: monthly
        networks: [backend]
        # Or stopped.
        power: running

# Values that are shown after an apply, and by "hostwright output".
outputs:
  address: { value: "\${projects.demo.publicIps.edge.address}" }
`;
}

/** A first test of that configuration. */
export const firstTests = `# yaml-language-server: $schema=./${testSchemaFileName}
# Tests of the configuration in this directory. "hostwright test" runs them in a sandbox of its own, in memory: it needs
# no account and no token, and an apply takes no time. The steps of a test go on from one to the next.
version: 1

tests:
  an empty account gets a web server with a public address:
    steps:
      - plan: {}
        assert: plan.counts.add == 5
      - apply: {}
        assert:
          - account.projects.demo.vms.web.status == "active"
          - output.address == account.projects.demo.publicIps.edge.address
      # What was applied has nothing left to change.
      - plan: {}
        assert: plan.isEmpty
`;

/** What does not belong under version control beside a configuration. */
export const firstGitignore = `# What Hostwright remembers of this directory: the state, its journal, the data of the sandbox.
.hostwright/

# Saved plans: they hold values of the account.
*.hwp
*.plan
*.tfplan
plan.out
tfplan

# Values of access tokens.
*.token
secrets/
`;
