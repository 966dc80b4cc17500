// If the server answers 401, the person signs in again and returns to the same page.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './client.ts';

function redirectToSignIn(fault: Error, isAnonymous = false): void {
  if (!isAnonymous && fault instanceof ApiProblem && fault.status === 401) signInAgain();
}

export function signInAgain(): void {
  const { pathname, search } = window.location;
  if (pathname.startsWith('/app/enter')) return;
  window.location.assign(`/auth/sign-in?return_to=${encodeURIComponent(pathname + search)}`);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (fault, { meta }) => redirectToSignIn(fault, meta?.['anonymous'] === true) }),
  mutationCache: new MutationCache({ onError: (fault) => redirectToSignIn(fault) }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, fault) => count < 2 && fault instanceof ApiProblem && (fault.status === 0 || fault.status >= 500),
    },
  },
});
