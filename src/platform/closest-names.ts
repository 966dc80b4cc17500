import { distance } from 'fastest-levenshtein';

export function findClosestNames(name: string, validNames: readonly string[], limit = 3): string[] {
  const lowercaseName = name.toLowerCase();
  const maxDistance = (candidate: string): number => {
    const length = Math.max(candidate.length, lowercaseName.length);
    return Math.min(length - 1, Math.max(2, Math.ceil(length / 2)));
  };
  return [...new Set(validNames)]
    .filter((candidate) => Math.abs(candidate.length - lowercaseName.length) <= maxDistance(candidate))
    .map((candidate) => ({ candidate, far: distance(lowercaseName, candidate.toLowerCase()) }))
    .filter(({ candidate, far }) => far <= maxDistance(candidate))
    .sort((a, b) => a.far - b.far || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** Returns a hint such as " Did you mean revenue?", or an empty string. */
export function createDidYouMeanHint(name: string, validNames: readonly string[]): string {
  const nearNames = findClosestNames(name, validNames);
  return nearNames.length > 0 ? ` Did you mean ${nearNames.join(' or ')}?` : '';
}

/** Returns a message such as "There is no metric revenu. Did you mean revenue?" */
export function createUnknownNameMessage(kind: string, name: string, validNames: readonly string[]): string {
  const validText = validNames.length > 12 ? `${validNames.slice(0, 12).join(', ')}, …` : validNames.join(', ');
  const hint = createDidYouMeanHint(name, validNames) || (validNames.length > 0 ? ` Valid: ${validText}.` : '');
  return `There is no ${kind} "${name}".${hint}`;
}
