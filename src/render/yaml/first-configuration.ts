import { quoteText } from '../format/escape.ts';

/** Name of the JSON Schema file that gives an editor its support for a first configuration. */
export const configurationSchemaFileName = 'hostwright.schema.json';
/** Name of the JSON Schema file for the tests of a new configuration. */
export const testSchemaFileName = 'hostwright.test.schema.json';
/** Name of the file with the first test of a new configuration. */
export const firstTestsFileName = 'main.test.yaml';

/** The first line of a configuration, by which an editor finds its schema. */
export const editorSchemaComment = `# yaml-language-server: $schema=./${configurationSchemaFileName}`;

const sandboxService = `# Where the account is. This is the embedded sandbox, ten times faster than the service. It keeps its data in
# .hostwright/ and costs nothing. For a real account, replace \`sandbox\` by the line below, and set the access token
# in the environment: HOSTWRIGHT_TOKEN or HOSTWRIGHT_TOKEN_FILE.
#   baseUrl: https://api.example.com/v1
service:
  sandbox: { speed: 10 }
`;

const remoteService = (
  baseUrl: string,
) => `# Where the account is. The access token does not belong here. Set it in the environment: HOSTWRIGHT_TOKEN or
# HOSTWRIGHT_TOKEN_FILE.
service:
  baseUrl: ${quoteText(baseUrl)}
`;

/**
 * Renders the first configuration that `init` writes, with comments: for an account at an address, or for the embedded
 * sandbox.
 */
export function renderFirstConfiguration(baseUrl: string | undefined): string {
  return `${editorSchemaComment}
# What the account should contain. "hostwright plan" shows the changes, "hostwright apply" makes them. Every *.yaml
# file in this directory is part of the configuration.
version: 1

${baseUrl === undefined ? sandboxService : remoteService(baseUrl)}
projects:
  # The path of a resource is its address: projects.demo, projects.demo.vms.web. Its key is also its name, unless it
  # has a \`name\`.
  demo:
    # Who may log in. Copy your public key into keys/, and write \`sshKeys: [me]\` at the VM.
    # sshKeys:
    #   me: { publicKeyFile: keys/me.pub }

    # A private network. The service assigns its address range.
    networks:
      backend: {}

    # A public IP. It forwards its TCP port 443 to port 8443 of the VM.
    publicIps:
      edge:
        forwards:
          https: { protocol: tcp, publicPort: 443, vm: web, vmPort: 8443 }

    vms:
      web:
        # Names or ids of what the service offers. "hostwright catalog" lists them.
        image: ubuntu-24.04
        configuration: c2-r4-d40
        tariff: monthly
        networks: [backend]
        # running or stopped
        power: running

# "hostwright apply" and "hostwright output" show these values.
outputs:
  address: { value: "\${projects.demo.publicIps.edge.address}" }
`;
}

/** Content of the first test of a new configuration. */
export const firstTestsContent = `# yaml-language-server: $schema=./${testSchemaFileName}
# Tests of the configuration in this directory. "hostwright test" runs each one in a new sandbox in memory. It needs no
# account and no token. Each step of a test starts where the one before ended.
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
      # A second plan has no changes.
      - plan: {}
        assert: plan.isEmpty
`;

/** Content of the first `.gitignore`: files beside a configuration that do not belong under version control. */
export const firstGitignore = `# The state, its journal, and the data of the sandbox.
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
