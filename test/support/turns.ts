// Splits "revenue by country > and in 2016?" into a question and the questions before it.
export const turnsOf = (said: string): { question: string; context: string[] } => {
  const turns = said.split(' > ');
  return { question: turns.pop()!, context: turns };
};
