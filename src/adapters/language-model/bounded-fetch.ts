// A fetch that limits the size of responses. The answer of a language model is a page at most.
export const MAX_REPLY_BYTES = 1_048_576;

export class ReplyTooLarge extends Error {
  override readonly name = 'ReplyTooLarge';
}

export const boundedFetch: typeof fetch = async (input, init) => {
  const reply = await fetch(input, init);
  if (!reply.body) return reply;
  let read = 0;
  const counted = reply.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        read += chunk.byteLength;
        if (read > MAX_REPLY_BYTES) controller.error(new ReplyTooLarge('the reply is too large'));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, { status: reply.status, statusText: reply.statusText, headers: reply.headers });
};
