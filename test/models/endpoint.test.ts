import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { withFailurePause } from '../../src/adapters/language-model/failure-pause.ts';
import { createOpenAiModel } from '../../src/adapters/language-model/openai.ts';
import { ModelFault } from '../../src/domain/model-fault.ts';
import type { LanguageModel } from '../../src/domain/ports.ts';
import { type Behaviour, type ModelRequest, startModelServer } from '../support/model-server.ts';

let model: LanguageModel;
const server = await startModelServer();
beforeEach(() => {
  const price = { input: 1, output: 10 };
  model = createOpenAiModel({
    entry: 'fast',
    provider: 'openai',
    model: 'm-1',
    baseUrl: server.baseUrl,
    apiKey: 'k',
    price,
  });
});

const write = (deadlineMs = 5_000, signal?: AbortSignal) =>
  model.write({ system: 's', user: 'u', deadlineMs, ...(signal ? { signal } : {}) });
const decide = (deadlineMs = 5_000) =>
  model.decide({ system: 's', user: 'u', schemaName: 'x', schema: { type: 'object' }, deadlineMs });

/** Returns the result of a call that should end early, or fails after five seconds. */
async function soon<Result>(call: Promise<Result>): Promise<Result> {
  expect(await Promise.race([call, sleep(5_000, 'goes on', { ref: false })])).not.toBe('goes on');
  return call;
}

async function faultOf(work: Promise<unknown>): Promise<ModelFault> {
  const fault = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(fault).toBeInstanceOf(ModelFault);
  return fault as ModelFault;
}

describe('a language model endpoint', () => {
  it('returns its text and its cost', async () => {
    server.script({ say: 'fine', tokens: [1000, 50] });
    const { text, usage } = await write();
    expect(text).toBe('fine');
    expect(usage).toMatchObject({ entry: 'fast', model: 'm-1', tokensIn: 1000, tokensOut: 50, outcome: 'ok' });
    expect(usage.cost).toBeCloseTo(0.0015, 10);
    expect(server.requests).toMatchObject([{ model: 'm-1', authorization: 'Bearer k', structured: false }]);
  });

  it.each<[string, (nth: number) => Behaviour]>([
    ['429 without Retry-After', () => ({ status: 429 })],
    ['429 with a Retry-After that fits', () => ({ status: 429, headers: { 'retry-after': '0.2' } })],
    ['429 with a date to retry after', () => ({ status: 429, headers: { 'retry-after': new Date().toUTCString() } })],
    ['500', () => ({ status: 500 })],
    ['529', () => ({ status: 529 })],
    ['a reply that is cut off', () => ({ cut: true })],
  ])('is retried after %s', async (_what, behaviour) => {
    server.script((_request, nth) => (nth === 1 ? behaviour(nth) : { say: 'fine' }));
    expect((await write()).text).toBe('fine');
    expect(server.requests).toHaveLength(2);
  });

  it('is tried three times at most', async () => {
    server.script({ status: 500 });
    expect((await faultOf(write())).usage.outcome).toBe('status_500');
    expect(server.requests).toHaveLength(3);
  });

  it('is not retried when Retry-After exceeds the deadline', async () => {
    server.script({ status: 429, headers: { 'retry-after': '60' } });
    expect((await soon(faultOf(write(20_000)))).usage.outcome).toBe('rate_limited');
    expect(server.requests).toHaveLength(1);
  });

  it('is retried for at most a tenth of the calls plus a small reserve while it fails', async () => {
    server.script({ status: 503, headers: { 'retry-after': '0' } });
    for (let call = 0; call < 40; call++) await faultOf(write());
    expect(server.requests.length).toBeLessThanOrEqual(40 + 5 + 4);
  });

  it.each<[string, Behaviour]>([
    ['an empty reply', { say: '' }],
    ['an answer cut by a token limit', { say: 'select 1 fr', finish: 'length' }],
    ['a call to an unknown tool', { toolCall: 'run_sql' }],
    ['bytes that aren’t JSON', { raw: '<html>busy</html>' }],
    ['JSON of another kind', { raw: '{"choices": []}' }],
    ['10 MB', { megabytes: 10 }],
    ['401', { status: 401 }],
  ])('that returns %s is not retried', async (_what, behaviour) => {
    server.script(behaviour);
    expect((await faultOf(write())).code).toBe('upstream');
    expect(server.requests).toHaveLength(1);
  });

  it('that returns prose for a decision fails, and its tokens are counted', async () => {
    server.script({ say: 'I think it is revenue.', tokens: [10, 10] });
    expect((await faultOf(decide())).usage).toMatchObject({ outcome: 'invalid_json', tokensIn: 10, tokensOut: 10 });
    server.script({ say: '```json\n{"a": 1}\n```' });
    expect((await decide()).value).toEqual({ a: 1 });
  });

  it.each<[string, Behaviour, RegExp]>([
    ['never answers', { silence: true }, /^timeout$/],
    ['answers too late', { delayMs: 1_000, reply: { say: 'late' } }, /^timeout$/],
    ['fails repeatedly', { delayMs: 300, reply: { status: 500 } }, /^(timeout|status_500)$/],
  ])('that %s does not delay an ask beyond its deadline', async (_what, behaviour, outcome) => {
    server.script(behaviour);
    expect((await soon(faultOf(write(400)))).usage.outcome).toMatch(outcome);
    expect(server.requests.length).toBeLessThan(3); // svc would try all three if each could use the whole time
  });

  it('is abandoned when the caller disconnects', async () => {
    server.script({ silence: true });
    const gone = new AbortController();
    setTimeout(() => gone.abort(), 100);
    await soon(faultOf(write(30_000, gone.signal)));
  });

  it('is paused after three consecutive failures', async () => {
    server.script({ status: 401 });
    const rested = withFailurePause(model);
    const ask = () => rested.write({ system: 's', user: 'u', deadlineMs: 1_000 });
    for (let call = 0; call < 3; call++) await faultOf(ask());
    expect((await faultOf(ask())).usage.outcome).toBe('resting');
    expect(server.requests).toHaveLength(3);
  });
});

const SCHEMA = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false };
const decides = () => model.decide({ system: 's', user: 'u', schemaName: 'x', schema: SCHEMA, deadlineMs: 5_000 });
const formOf = ({ form: { response_format: asked, tools } }: ModelRequest): string =>
  tools ? 'tools' : asked?.json_schema?.strict ? 'strict' : (asked?.type ?? 'none');
const DECIDED = { say: { a: 1 } };
const no = (status = 400, message = 'not supported'): Behaviour => ({
  status,
  body: JSON.stringify({ error: { message } }),
});

describe('a model endpoint asked for structured output', () => {
  const reply = (request: ModelRequest): Behaviour =>
    request.form.tools ? { toolCall: 'x', arguments: '{"a": 1}' } : DECIDED;

  it.each([
    [['strict', 'json_schema', 'json_object', 'tools', 'none'], 'strict', ['strict']],
    [['json_schema', 'json_object'], 'json_schema', ['strict', 'json_schema']],
    [['json_object'], 'json_object', ['strict', 'json_schema', 'json_object']],
    [['tools'], 'tools', ['strict', 'json_schema', 'json_object', 'tools']],
    [['none'], 'none', ['strict', 'json_schema', 'json_object', 'tools', 'none']],
  ])('that supports %j is asked for %s from then on', async (known, keptForm, tried) => {
    server.script((request) => (known.includes(formOf(request)) ? reply(request) : no()));
    expect((await decides()).value).toEqual({ a: 1 });
    expect(server.requests.map(formOf)).toEqual(tried);
    expect((await decides()).value).toEqual({ a: 1 });
    expect(server.requests.map(formOf)).toEqual([...tried, keptForm]);
    const last = server.requests.at(-1)!;
    expect(last.user.includes('"additionalProperties":false')).toBe(keptForm === 'json_object' || keptForm === 'none');
  });

  it('that times out after its form is found is not asked in other forms again', async () => {
    server.script(({ form }) =>
      form.response_format?.type === 'json_schema'
        ? {
            status: 500,
            body: JSON.stringify({ error: { message: "response_format: Input should be 'json_object'" } }),
          }
        : { silence: true },
    );
    expect((await faultOf(decide(1_500))).usage.outcome).toBe('timeout');
    const asked = server.requests.map(({ form }) => form.response_format?.type);
    expect(asked).toEqual(['json_schema', 'json_schema', 'json_object']);
    expect((await faultOf(decide(500))).usage.outcome).toBe('timeout');
    expect(server.requests.slice(3).map(({ form }) => form.response_format?.type)).toEqual(['json_object']);
  });

  it('that ignores a schema gets it in the prompt from then on', async () => {
    server.script((request) => (request.user.includes('JSON Schema') ? DECIDED : { say: 'I think it is 1.' }));
    expect((await decides()).value).toEqual({ a: 1 });
    expect((await decides()).value).toEqual({ a: 1 });
    expect(server.requests.map(formOf)).toEqual(['strict', 'json_object', 'json_object']);
  });

  it('keeps its output format after a wrong key, an unknown model or a prompt that is too long', async () => {
    for (const status of [401, 403, 404]) {
      server.script(no(status));
      await faultOf(decides());
      expect(server.requests.map(formOf), String(status)).toEqual(['strict']);
    }
    server.script(no(400, 'maximum context length exceeded'));
    await faultOf(decides());
    server.script(DECIDED);
    await decides();
    expect(server.requests.map(formOf)).toEqual(['strict']);
  });

  it('that rejects max_completion_tokens is asked with max_tokens', async () => {
    server.script((request) =>
      request.members.includes('max_completion_tokens') ? no(400, 'Unknown: max_completion_tokens') : DECIDED,
    );
    expect((await decides()).value).toEqual({ a: 1 });
    expect(server.requests.map(formOf)).toEqual(['strict', 'strict']);
    expect(server.requests[1]!.members).toContain('max_tokens');
  });
});
