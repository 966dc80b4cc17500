// The signed-in person. This decides what the app shows; the server decides what is allowed.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOrThrow } from './client.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/auth/me', { signal })),
  staleTime: 60_000,
});
export type Session = Awaited<ReturnType<NonNullable<typeof sessionQuery.queryFn>>>;

type Person = Pick<Session, 'kind' | 'user'>;
export const roleOf = ({ kind, user }: Person): 'Admin' | 'Curator' | 'Viewer' =>
  kind === 'admin' || user?.role === 'admin' ? 'Admin' : user?.role === 'curator' ? 'Curator' : 'Viewer';

/** May change data and access. */
export const mayManage = (person: Person): boolean => roleOf(person) === 'Admin';
/** May change what lenses mean. */
export const mayCurate = (person: Person): boolean => roleOf(person) !== 'Viewer';

/** A viewer who sees only what their caller may see. */
export const isConfined = ({ user }: Pick<Session, 'user'>): boolean => user?.role === 'viewer' && user.caller !== null;
