// Closes everything that a test file opened when the file ends, in reverse order. test/support/after-file.ts calls
// `closeOpened` after each file.
const opened: (() => Promise<void>)[] = [];

/** Calls `close` once: when the test calls the returned function, or when the file ends. */
export function untilFileEnds(closeResource: () => unknown): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const closeOnce = () => {
    closing ??= (async () => void (await closeResource()))();
    return closing;
  };
  opened.push(closeOnce);
  return closeOnce;
}

export async function closeOpened(): Promise<void> {
  const faults: unknown[] = [];
  for (let closeResource = opened.pop(); closeResource; closeResource = opened.pop())
    await closeResource().catch((fault) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
}
