/** The VMs of `shopOfVms`, a line of YAML each. */
export const vms = Array.from(
  { length: 6 },
  (_, index) =>
    `      vm${index}: { image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [main] }`,
);
/** A project with a network and six VMs in it. */
export const shopOfVms = `version: 1
projects:
  shop:
    networks: { main: {} }
    vms:
${vms.join('\n')}
`;
