// A fetch that refuses replies over a size limit, because a reply of a language model is rarely longer than a page.
export const MAX_REPLY_BYTES = 1_048_576;

export class ReplyTooLargeError extends Error {
  override readonly name = 'ReplyTooLargeError';
}

export const boundedFetch: typeof fetch = async (input, init) => {
  const reply = await fetch(input, init);
  if (!reply.body) return reply;
  let readBytes = 0;
  const countedBody = reply.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        readBytes += chunk.byteLength;
        if (readBytes > MAX_REPLY_BYTES) controller.error(new ReplyTooLargeError('the reply is too large'));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(countedBody, { status: reply.status, statusText: reply.statusText, headers: reply.headers });
};
