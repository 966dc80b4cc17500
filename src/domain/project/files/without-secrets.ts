// Hides the literal secrets in svc.config.yaml for storage and export. All other bytes stay the same.
import { isPair, isScalar, parseDocument, visit } from 'yaml';
import { HIDDEN_SECRET_TEXT, isLiteralSecret } from '../../connections/connection-secrets.ts';

export function withoutLiteralSecrets(config: string): string {
  const secretRanges: { from: number; to: number }[] = [];
  visit(parseDocument(config, { uniqueKeys: false }), {
    Pair(_key, pair) {
      if (!isPair(pair) || !isScalar(pair.key) || !isScalar(pair.value)) return;
      const { range, value } = pair.value;
      if (range && value !== HIDDEN_SECRET_TEXT && isLiteralSecret(String(pair.key.value), value))
        secretRanges.push({ from: range[0], to: range[1] });
    },
  });
  let redactedText = '';
  let position = 0;
  for (const { from, to } of secretRanges.sort((a, b) => a.from - b.from)) {
    redactedText += config.slice(position, from) + HIDDEN_SECRET_TEXT;
    position = to;
  }
  return redactedText + config.slice(position);
}
