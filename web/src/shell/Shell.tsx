import { Avatar, Burger, Drawer, Menu, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatchRoute, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { apiClient, unwrapData } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { canCurate, findRoleName, type Session, sessionQuery } from '../api/session.ts';
import icon from '../icon.svg';
import { listNavItems } from './nav.ts';
import { Shortcuts } from './Shortcuts.tsx';
import css from './shell.module.css';

export function Shell({ children }: { children?: ReactNode }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [open, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address closes the drawer
  useEffect(() => setOpen(false), [path]);
  const brand = (
    <Link to="/" className={css.brand}>
      <img src={icon} alt="" />
      {session.organization.name === 'default' ? 'svc' : session.organization.name}
    </Link>
  );
  return (
    <div className={css.frame}>
      <a className={css.skip} href="#page">
        Skip to content
      </a>
      <nav className={css.top} aria-label="Top bar">
        <Burger opened={open} onClick={() => setOpen(!open)} size="sm" aria-label="Menu" aria-expanded={open} />
        {brand}
      </nav>
      <aside className={css.side} aria-label="Navigation">
        {brand}
        <NavLinks session={session} />
      </aside>
      <Drawer
        opened={open}
        onClose={() => setOpen(false)}
        lockScroll={false}
        size="17rem"
        title="Menu"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <div className={`${css.side} ${css.drawer}`}>
          <NavLinks session={session} />
        </div>
      </Drawer>
      <main className={css.main} id="page" tabIndex={-1}>
        {children ?? <Outlet />}
      </main>
      <Shortcuts session={session} />
    </div>
  );
}

/** People who are signed in also see the navigation. */
export function PublicPage({ children }: { children: ReactNode }) {
  const { data: session } = useQuery({ ...sessionQuery, retry: false, meta: { anonymous: true } });
  return session ? <Shell>{children}</Shell> : <main>{children}</main>;
}

function NavLinks({ session }: { session: Session }) {
  const isCurator = canCurate(session);
  const opensAnswer = useMatchRoute()({ to: '/answers/$id' }) !== false;
  return (
    <>
      <nav aria-label="Pages">
        {listNavItems(session).map(({ heading, items }) => (
          <div key={heading ?? 'first'}>
            {heading && isCurator && <p className={css.heading}>{heading}</p>}
            <ul className={css.places}>
              {items.map(({ to, label, icon: Icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    className={css.place}
                    activeOptions={{ exact: to === '/', includeSearch: false }}
                    activeProps={{ 'aria-current': 'page' }}
                    {...(to === '/' && opensAnswer && { 'aria-current': 'page' })}
                  >
                    <Icon size={18} stroke={1.75} />
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className={css.foot}>
        <UserMenu session={session} />
      </div>
    </>
  );
}

function UserMenu({ session }: { session: Session }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const signOut = useMutation({
    mutationFn: () => unwrapData(apiClient.POST('/auth/logout')),
    onSuccess: () => {
      queryClient.clear();
      window.location.assign('/auth/sign-in?return_to=/app');
    },
  });
  return (
    <Menu position="top-start" width={220} shadow="md">
      <Menu.Target>
        <button type="button" className={css.who}>
          <Avatar size={30} name={session.name} color="leaf" variant="filled" aria-hidden="true" />
          <VisuallyHidden>Signed in as </VisuallyHidden>
          <span className={css.whoText}>
            <span>{session.name}</span>
            <span>{findRoleName(session)}</span>
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Theme</Menu.Label>
        {(['auto', 'light', 'dark'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            rightSection={colorScheme === scheme ? <span aria-hidden="true">✓</span> : null}
          >
            {{ auto: 'System', light: 'Light', dark: 'Dark' }[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href="/guide/">
          Guide
        </Menu.Item>
        <Menu.Item component="a" href="/docs">
          API reference
        </Menu.Item>
        <Menu.Item onClick={() => signOut.mutate()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
