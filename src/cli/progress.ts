// What takes its time counts the seconds on a terminal, and is silent elsewhere.
export function progress(what: string): () => void {
  if (!process.stderr.isTTY) return () => undefined;
  const started = Date.now();
  const timer = setInterval(
    () => process.stderr.write(`\r${what}… ${Math.round((Date.now() - started) / 1000)} s`),
    250,
  );
  return () => {
    clearInterval(timer);
    process.stderr.write('\r\u001b[K');
  };
}
