// The signed-in person. This decides what the app shows; the server decides what is allowed.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOrThrow } from './client.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/auth/me', { signal })),
  staleTime: 60_000,
});
export type Session = Awaited<ReturnType<NonNullable<typeof sessionQuery.queryFn>>>;

export const mayManage = ({ kind, user }: Pick<Session, 'kind' | 'user'>): boolean =>
  kind === 'admin' || user?.role === 'admin';

/** A viewer who sees only what their caller may see. */
export const isConfined = ({ user }: Pick<Session, 'user'>): boolean => user?.role === 'viewer' && user.caller !== null;
