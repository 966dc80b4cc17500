// The role decides only which pages the app shows. The server decides which requests it allows.
import { queryOptions } from '@tanstack/react-query';
import { apiClient, unwrapData } from './client.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => unwrapData(apiClient.GET('/auth/me', { signal })),
  staleTime: 60_000,
});
export type Session = Awaited<ReturnType<NonNullable<typeof sessionQuery.queryFn>>>;

type SessionPerson = Pick<Session, 'kind' | 'user'>;
export const findRoleName = ({ kind, user }: SessionPerson): 'Admin' | 'Curator' | 'Viewer' =>
  kind === 'admin' || user?.role === 'admin' ? 'Admin' : user?.role === 'curator' ? 'Curator' : 'Viewer';

/** Admins may change data and access. */
export const canManage = (person: SessionPerson): boolean => findRoleName(person) === 'Admin';
/** Admins and curators may change the meaning of lenses. */
export const canCurate = (person: SessionPerson): boolean => findRoleName(person) !== 'Viewer';

/** A viewer with a caller sees only the lenses of that caller. */
export const isLimitedToCaller = ({ user }: Pick<Session, 'user'>): boolean =>
  user?.role === 'viewer' && user.caller !== null;
