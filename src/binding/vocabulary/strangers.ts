// Names of what hosting services have beside the contract. They are asked about for nothing. Data alone.
import { splitWords, type NameWords } from './words.ts';

/** Collections, members and actions that are none of the contract's. */
const names = `
load balancer, balancer, volume, block storage, snapshot, firewall, security group, cluster, node, node pool, certificate,
domain, dns zone, dns record, zone, record, bucket, object storage, database, registry, repository, event, audit log, log,
invoice, payment, payment method, region, datacenter, data center, location, availability zone, member, role, policy, webhook,
placement group, iso, secret, function, queue, topic, vpn, gateway, nat gateway, router, route, route table, listener, pool,
health check, target group, monitor, alert policy, dashboard, support ticket, ticket, cdn, endpoint, kubernetes, container, app,
deployment, pipeline, disk, subnet, address pool, floating ip, reserved ip, primary ip, host, hypervisor, bare metal, updated
at, updated, modified at, last modified, changed at, deleted at, description, label, tag, metadata, href, self, link, etag,
version, revision, locked, protection, architecture, kernel, uptime, progress, priority, note, comment, user data, cloud init,
rescue, console, password, root password, timezone, ipv6, gateway ip, mac, mac address, mtu, netmask, dns, hostname, fqdn,
bandwidth, traffic, transfer, iops, gpu, user, user id, owner, owner id, account id, customer id, organization id, region id,
zone id, created by, updated by, parent id, weight, order, sort, filter, search, migrate, clone, suspend, rescue mode, reset
password, change password, enable backup, disable backup, change protection, attach iso, detach iso, attach volume, detach
volume, change dns, evacuate, lock, unlock, protect, export, import, convert, move, transfer ownership, screenshot, vnc,
message, warning, alert, threshold, version,
server group, instance group, affinity group, anti affinity group, user group, audit, script, stack script, stackscript,
node balancer, nodebalancer, ping, health, status page, info, announcement, faq, news, feature flag, setting
`;

const known = new Set(names.split(',').map((name) => splitWords(name).join(' ')));

/** Tells whether a name is that of something that the contract does not have. */
export function isNameOutsideContract(name: NameWords): boolean {
  // A number only says which edition it is: `/object-storage-2`.
  const words = name.filter((word) => !/^\d+$/.test(word));
  return known.has(words.join(' ')) || (words.length > 1 && known.has(words.slice(-2).join(' ')));
}

/** True for things that the contract does not have, by their whole name or by its last word: `/floating-ip-pools`. */
export function areNamesOutsideContract(words: NameWords): boolean {
  return isNameOutsideContract(words) || known.has(words.slice(-1).join(' '));
}
