// The link from `npm start` has the token in its fragment, which the browser doesn't send to a server. The page
// requires a click, because link previews must not use up the token.
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import icon from '../../icon.svg';
import { ErrorState } from '../../ui/States.tsx';
import css from './enter.module.css';

export function EnterPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  useEffect(() => {
    document.title = 'Sign in · svc';
    window.history.replaceState(null, '', window.location.pathname);
  }, []);
  const enter = useMutation({
    mutationFn: () => unwrapData(apiClient.POST('/auth/enter', { body: { token } })),
    onSuccess: () => window.location.replace('/app'),
  });
  return (
    <main className={css.page}>
      <img src={icon} alt="" className={css.icon} />
      <h1>Welcome to svc</h1>
      {token === '' ? (
        <p>
          Open the sign-in link that svc printed in the terminal when it started. <NewLinkHint />
        </p>
      ) : (
        <>
          <p>You are about to sign in as the admin of this installation. The link works once.</p>
          {enter.error && <ErrorState fault={enter.error} />}
          {enter.error ? (
            <p>
              <NewLinkHint />
            </p>
          ) : (
            <Button size="md" loading={enter.isPending || enter.isSuccess} onClick={() => enter.mutate()} autoFocus>
              Sign in
            </Button>
          )}
        </>
      )}
    </main>
  );
}

/** The app can't create a sign-in link. Only the command line on the server can. */
const NewLinkHint = () => (
  <>
    To print a new link, run <code>npx svc sign-in-link</code> on the server. Or{' '}
    <a href="/auth/sign-in?return_to=/app">sign in with an account</a>.
  </>
);
