// What a real client must find, whichever it is and however it reaches the server.

import assert from 'node:assert/strict';
import { OVERVIEW } from './served.ts';

type AnyClient = {
  listResources(): Promise<{ resources: { uri: string }[]; nextCursor?: string | undefined }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: object[] }>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  complete(params: {
    ref: { type: 'ref/resource'; uri: string };
    argument: { name: string; value: string };
  }): Promise<{ completion: { values: string[] } }>;
  getInstructions(): string | undefined;
};

export async function judge(client: AnyClient, expectedListed: number): Promise<void> {
  assert.match(client.getInstructions() ?? '', /Start with context:\/\/project\/overview/);
  const { resources } = await client.listResources();
  assert.equal(resources.length, expectedListed);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'context://module/{name}'));
  for (const uri of [OVERVIEW, 'context://module/auth', 'context://module/gr%C3%B6%C3%9Fe%20%26%20co']) {
    const { contents } = await client.readResource({ uri });
    const [content] = contents as { uri: string; text: string; mimeType: string }[];
    assert.deepEqual([content?.uri, content?.mimeType], [uri, 'text/markdown']);
    assert.match(content?.text ?? '', /^# (Project|Module): /);
  }
  await assert.rejects(client.readResource({ uri: 'context://module/nothing' }), /Module not found: nothing/);
  await judgeTools(client);
}

async function judgeTools(client: AnyClient): Promise<void> {
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === 'search'));
  const call = async (name: string, given: Record<string, unknown>): Promise<{ text: string; isError: boolean }> => {
    const { content, isError } = (await client.callTool({ name, arguments: given })) as {
      content: { text: string }[];
      isError?: boolean;
    };
    return { text: content[0]?.text ?? '', isError: isError === true };
  };
  assert.match((await call('search', { query: 'refresh tokens race' })).text, /context:\/\/module\/auth/);
  assert.match((await call('read_resource', { uri: OVERVIEW })).text, /^# Project: My SaaS App/);
  assert.match((await call('context_for', { path: 'src/auth/config.ts' })).text, /Module: auth/);
  assert.match((await call('list_resources', {})).text, /context:\/\/module\/auth/);
  assert.deepEqual((await call('read_resource', { uri: 'context://module/nothing' })).isError, true);
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'context://module/{name}' },
    argument: { name: 'name', value: 'au' },
  });
  assert.deepEqual(completion.values, ['auth']);
}
