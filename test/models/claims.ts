// Spans that claim everything.
/** Each word of the question, and all of it, claimed for each part of the plan. */
export function claims(question: string, plan: object): { text: string; part: string }[] {
  const parts = Object.entries(plan).flatMap(([key, part]) =>
    Array.isArray(part) ? part.map((_, at) => `${key}[${at}]`) : [key],
  );
  const words = question.split(/[\s,?]+/).filter(Boolean);
  const pairs = words.slice(1).map((word, at) => `${words[at]} ${word}`);
  return [question, ...words, ...pairs].flatMap((text) => parts.map((part) => ({ text, part }))).slice(0, 200);
}
