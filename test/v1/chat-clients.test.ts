import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const QUESTION = 'What was revenue in the West in 2016?';
const messages = [{ role: 'user' as const, content: QUESTION }];
const svc = await startTestApp();
const baseURL = `${await svc.listen()}/v1`;
const openai = new OpenAI({ baseURL, apiKey: svc.callerKey, maxRetries: 0 });

describe('chat completions', () => {
  it('returns a completion to the OpenAI client, with the envelope under svc and with usage', async () => {
    const completion = await openai.chat.completions.create({ model: 'svc/shop', messages, temperature: 0.2, seed: 1 });
    expect(completion.choices[0]!.message.content).toContain('350.5');
    expect(completion.choices[0]!.finish_reason).toBe('stop');
    expect(completion.usage).toEqual({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 });
    expect(completion).toMatchObject({
      svc: { status: 'answered', data: [{ revenue: 350.5 }], confidence: 'verified' },
    });
  });

  it('streams one chunk to the OpenAI client, also through its .stream() helper', async () => {
    const chunks = [];
    for await (const chunk of await openai.chat.completions.create({ model: 'svc/shop', messages, stream: true }))
      chunks.push(chunk);
    expect(chunks).toHaveLength(1);
    expect(chunks[0]!.choices[0]).toMatchObject({ finish_reason: 'stop', delta: { role: 'assistant' } });
    const final = await openai.chat.completions.stream({ model: 'svc/shop', messages }).finalContent();
    expect(final).toContain('350.5');
  });

  it('lists the lenses of the key as models for the OpenAI client', async () => {
    const models = [];
    for await (const model of openai.models.list()) models.push(model.id);
    expect(models).toEqual(['svc/auto', 'svc/shop', 'svc/stock']);
    for (const id of ['svc/shop', 'svc/auto']) expect((await openai.models.retrieve(id)).id).toBe(id);
    for (const id of ['svc/shp', 'gpt-4']) {
      await expect(openai.models.retrieve(id)).rejects.toMatchObject({ status: 404, param: 'model' });
    }
  });

  it('returns text and a stream to the Vercel AI SDK', async () => {
    const provider = createOpenAICompatible({ name: 'svc', baseURL, apiKey: svc.callerKey });
    const { text } = await generateText({ model: provider('svc/shop'), prompt: QUESTION });
    expect(text).toContain('350.5');
    const streamed = streamText({ model: provider('svc/auto'), prompt: QUESTION });
    expect(await streamed.text).toContain('350.5');
    expect(await streamed.finishReason).toBe('stop');
  });

  it('answers invoke and stream of ChatOpenAI in LangChain', async () => {
    const model = new ChatOpenAI({
      model: 'svc/shop',
      apiKey: svc.callerKey,
      configuration: { baseURL },
      maxRetries: 0,
    });
    expect(String((await model.invoke(QUESTION)).content)).toContain('350.5');
    let streamed = '';
    for await (const chunk of await model.stream(QUESTION)) streamed += String(chunk.content);
    expect(streamed).toContain('350.5');
  });

  it('accepts earlier turns, system and tool roles, and content in parts', async () => {
    const reply = await svc.post('/v1/chat/completions', {
      model: 'svc/shop',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What was revenue in 2016?' },
            { type: 'image_url', image_url: { url: 'x' } },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [] },
        { role: 'tool', tool_call_id: '1', content: '{}' },
        { role: 'user', content: [{ type: 'text', text: 'What was revenue in the West in 2016?' }] },
      ],
    });
    expect(reply.body.svc).toMatchObject({ status: 'answered', data: [{ revenue: 350.5 }] });
  });
});

describe('refuses', () => {
  it('an unknown model and a wrong key with errors that the OpenAI client recognizes', async () => {
    await expect(openai.chat.completions.create({ model: 'svc/nope', messages })).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
    await expect(openai.chat.completions.create({ model: 'gpt-5', messages })).rejects.toThrow(/svc\/auto/);
    const stranger = new OpenAI({ baseURL, apiKey: 'svc_wrong', maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });

  it('a conversation without a question', async () => {
    expect(
      (await svc.post('/v1/chat/completions', { model: 'svc/shop', messages: [{ role: 'system', content: 'x' }] }))
        .status,
    ).toBe(422);
    expect((await svc.post('/v1/chat/completions', { model: 'svc/shop', messages: [] })).status).toBe(422);
  });
});
