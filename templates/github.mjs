// What action.yml asks of GitHub and tells it, without any package:
//
//   node github.mjs comment FILE          the pull request's comment with this plan: made once, then updated in place
//   node github.mjs issue FILE CODE       the issue about drift: CODE 2 opens or updates it, 0 closes it
//   node github.mjs find-plan [WORKFLOW]  the run that planned the merged pull request, this very commit of it for this
//                                         very branch, as the output "run-id"; without WORKFLOW, a run of this one
//   node github.mjs outputs DIRECTORY     the outputs of the action, from what ci.sh has written there
//
// It needs GITHUB_TOKEN (the workflow's own), GITHUB_REPOSITORY, GITHUB_API_URL, GITHUB_SHA and GITHUB_WORKFLOW_REF, which
// Actions sets but for the first; and for `comment`, PULL_REQUEST.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';

const { env } = process;
const repository = `/repos/${env.GITHUB_REPOSITORY}`;
/** Who the workflow's token writes as: nobody else's comment is touched, whatever it says. */
const author = env.COMMENT_AUTHOR ?? 'github-actions[bot]';

async function ask(method, path, body) {
  const response = await fetch(new URL(path, env.GITHUB_API_URL), {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${env.GITHUB_TOKEN}`,
      'x-github-api-version': '2022-11-28',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
  return { data: await response.json(), next: nextPage(response.headers.get('link')) };
}

/** The address of the next page, where there is one. */
function nextPage(links) {
  return /<([^>]+)>;\s*rel="next"/.exec(links ?? '')?.[1];
}

/** The first on a list, whatever its pages, that is wanted. */
async function findOn(path, list, isWanted) {
  for (let page = path; page !== undefined;) {
    const { data, next } = await ask('GET', page);
    const found = list(data).find(isWanted);
    if (found) return found;
    page = next;
  }
  return undefined;
}

/** The first thing of ours on a list that begins with this line. */
function findOurs(path, marker) {
  const isOurs = (one) =>
    one.user?.login === author && !one.pull_request && one.body?.startsWith(marker);
  return findOn(path, (data) => data, isOurs);
}

/** A plan as Markdown; its first line is a hidden mark that is the same for every plan of one configuration. */
function readPlan(file) {
  const body = readFileSync(file, 'utf8');
  const marker = /^<!-- hostwright-plan.* -->$/.exec(body.split('\n', 1)[0])?.[0];
  // Without it, anything that the workflow's token has written would be ours.
  if (!marker) throw new Error(`${file} holds no plan`);
  return { body, marker };
}

async function comment(file) {
  const { body, marker } = readPlan(file);
  const list = `${repository}/issues/${env.PULL_REQUEST}/comments`;
  const ours = await findOurs(`${list}?per_page=100`, marker);
  const { data } = ours
    ? await ask('PATCH', `${repository}/issues/comments/${ours.id}`, { body })
    : await ask('POST', list, { body });
  console.log(`${ours ? 'Updated' : 'Made'} the comment ${data.html_url}`);
}

async function issue(file, code) {
  const { body, marker } = readPlan(file);
  const open = await findOurs(
    `${repository}/issues?state=open&per_page=100&creator=${encodeURIComponent(author)}`,
    marker,
  );
  if (code === '0') {
    if (open) await ask('PATCH', `${repository}/issues/${open.number}`, { state: 'closed' });
    console.log(open ? `Closed #${open.number}: nothing differs any more.` : 'Nothing differs.');
    return;
  }
  const title = 'The hosting account differs from its configuration';
  const { data } = open
    ? await ask('PATCH', `${repository}/issues/${open.number}`, { body })
    : await ask('POST', `${repository}/issues`, { title, body });
  console.log(`${open ? 'Updated' : 'Opened'} #${data.number}: ${data.html_url}`);
}

/**
 * Whether a run planned this pull request, at this commit, into this branch: one commit can be in several pull requests.
 * The `run-name` of the workflow says it. A run with another name is taken where GitHub ties it to this one alone. What
 * a fork has run is never taken, whatever its name.
 */
function isPlanOf(run, { number, head, base }) {
  if (run.head_repository?.full_name !== env.GITHUB_REPOSITORY) return false;
  const [, ...planned] =
    /^Hostwright plan of #(\d+): (\S+) into (.+)$/.exec(run.display_title) ?? [];
  if (planned.length > 0) {
    return planned.join() === [number, head.sha, base.ref].join();
  }
  const [only, ...others] = run.pull_requests ?? [];
  return (
    others.length === 0 &&
    only?.number === number &&
    only.head.sha === head.sha &&
    only.base.ref === base.ref
  );
}

/** The file name of the workflow that runs: `OWNER/NAME/.github/workflows/FILE@REF`. */
function nameOwnWorkflow() {
  return /\/([^/@]+)@/.exec(env.GITHUB_WORKFLOW_REF ?? '')?.[1];
}

async function findPlan(given) {
  const workflow = given || nameOwnWorkflow();
  const { data: pulls } = await ask('GET', `${repository}/commits/${env.GITHUB_SHA}/pulls`);
  const merged = pulls.find((pull) => pull.merge_commit_sha === env.GITHUB_SHA && pull.merged_at);
  if (!merged) throw new Error(`no pull request was merged as ${env.GITHUB_SHA}`);
  const run = await findOn(
    `${repository}/actions/workflows/${workflow}/runs?event=pull_request&status=success&per_page=100&head_sha=${merged.head.sha}`,
    (data) => data.workflow_runs,
    (one) => isPlanOf(one, merged),
  );
  if (!run) {
    const what = `#${merged.number} at ${merged.head.sha} into ${merged.base.ref}`;
    throw new Error(`no successful plan of ${what}: start this workflow by hand to plan and apply`);
  }
  appendFileSync(env.GITHUB_OUTPUT, `run-id=${run.id}\n`);
  console.log(`The plan of #${merged.number} was made by run ${run.id}.`);
}

/** The longest outage in seconds; `unknown` where one has no end. */
function measureDowntime(downtime = {}) {
  const seconds = Object.values(downtime).map((one) => one.seconds);
  return seconds.includes(null) ? 'unknown' : Math.max(0, ...seconds);
}

/** A drift that finds nothing writes no plan. */
function setOutputs(directory) {
  const [json, plan] = [join(directory, 'plan.json'), join(directory, 'plan')];
  const {
    actions = {},
    losses = {},
    downtime,
  } = existsSync(json) ? JSON.parse(readFileSync(json, 'utf8')).hostwright : {};
  const changes = Object.values(actions).filter((action) => action !== 'no-op').length;
  const lines = [
    `changes=${changes}`,
    `losses=${Object.keys(losses).length}`,
    `downtime=${measureDowntime(downtime)}`,
    `plan=${existsSync(plan) ? plan : ''}`,
  ];
  appendFileSync(env.GITHUB_OUTPUT, `${lines.join('\n')}\n`);
}

const [, , command, ...rest] = process.argv;
try {
  if (command === 'comment') await comment(...rest);
  else if (command === 'issue') await issue(...rest);
  else if (command === 'find-plan') await findPlan(...rest);
  else if (command === 'outputs') setOutputs(...rest);
  else {
    const uses = ['comment FILE', 'issue FILE CODE', 'find-plan [WORKFLOW]', 'outputs DIRECTORY'];
    throw new Error(`use: github.mjs ${uses.join(' or ')}`);
  }
} catch (error) {
  console.error(`github.mjs: ${error.message}`);
  process.exitCode = 1;
}
