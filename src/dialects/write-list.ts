export const writeList = <T>(list: readonly T[], write: (one: T) => string): string =>
  list.map((item) => write(item)).join(', ');
