export const writeList = <T>(list: readonly T[], write: (item: T) => string): string =>
  list.map((item) => write(item)).join(', ');
