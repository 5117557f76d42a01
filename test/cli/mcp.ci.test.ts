import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';

test('the built program speaks the protocol, and nothing else', async () => {
  const agent = new Client({ name: 'test', version: '1' });
  const args = ['dist/main.js', 'mcp', 'examples/quickstart'];
  await agent.connect(new StdioClientTransport({ command: process.execPath, args }));
  const { content } = await agent.callTool({ name: 'validate', arguments: {} });
  expect(JSON.stringify(content)).toContain('valid');
  expect((await agent.listResources()).resources.length).toBeGreaterThan(20);
  await agent.close();
});
