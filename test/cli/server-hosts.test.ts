// A pull request's way at one host; at the other one, and whatever can go wrong, in the long tests.
import { describe } from 'vitest';
import { describePullRequest } from '../support/hosts/describe-pull-request.ts';

describe('a pull request at GitHub', () => describePullRequest('github'));
