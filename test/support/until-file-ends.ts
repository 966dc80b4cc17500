// Closes everything that a test file opened when the file ends, in reverse order. test/support/after-file.ts calls
// `closeOpened` after each file.
const opened: (() => Promise<void>)[] = [];

/** Calls `close` once: when the test calls the returned function, or when the file ends. */
export function untilFileEnds(close: () => unknown): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const once = () => {
    closing ??= (async () => void (await close()))();
    return closing;
  };
  opened.push(once);
  return once;
}

export async function closeOpened(): Promise<void> {
  const faults: unknown[] = [];
  for (let close = opened.pop(); close; close = opened.pop()) await close().catch((fault) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
}
