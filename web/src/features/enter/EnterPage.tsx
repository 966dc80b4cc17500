// The page behind the link that `npm start` prints. The token is in the fragment, which no server or log
// sees. Using it takes a click, so that link previews can't use it up.
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, dataOrThrow } from '../../api/client.ts';
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
    mutationFn: () => dataOrThrow(api.POST('/auth/enter', { body: { token } })),
    onSuccess: () => window.location.replace('/app'),
  });
  return (
    <main className={css.page}>
      <img src={icon} alt="" className={css.icon} />
      <h1>Welcome to svc</h1>
      {token === '' ? (
        <p>
          This page needs the link that svc printed in the terminal when it started. <Another />
        </p>
      ) : (
        <>
          <p>You are about to sign in as the administrator of this installation. The link works once.</p>
          {enter.error && <ErrorState fault={enter.error} />}
          {enter.error ? (
            <p>
              <Another />
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

/** Only someone at the terminal of the server can print a link. */
const Another = () => (
  <>
    Print another one there with <code>npx svc sign-in-link</code>, or{' '}
    <a href="/auth/sign-in?return_to=/app">sign in with an account</a>.
  </>
);
