// The project as it may be stored and exported: the very bytes that were applied, but for secrets written out.
import { isPair, isScalar, parseDocument, visit } from 'yaml';
import { isLiteralSecret, KEPT } from '../connections/connection-secrets.ts';

/** Every literal secret of svc.config.yaml becomes `(kept)`; all other bytes stay. */
export function keepSecrets(files: Record<string, string>): Record<string, string> {
  const config = files['svc.config.yaml'];
  if (config === undefined) return files;
  const cuts: { from: number; to: number }[] = [];
  visit(parseDocument(config), {
    Pair(_key, pair) {
      if (!isPair(pair) || !isScalar(pair.key) || !isScalar(pair.value)) return;
      const { range, value } = pair.value;
      if (range && value !== KEPT && isLiteralSecret(String(pair.key.value), value))
        cuts.push({ from: range[0], to: range[1] });
    },
  });
  const kept = cuts
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to }) => text.slice(0, from) + KEPT + text.slice(to), config);
  return { ...files, 'svc.config.yaml': kept };
}
