import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../ui/Page.tsx';
import { AuditLog } from './AuditLog.tsx';
import { Callers } from './Callers.tsx';
import { OauthAccess } from './OauthAccess.tsx';
import { Users } from './Users.tsx';

export function AccessPage() {
  const { tab = 'callers' } = useSearch({ from: '/app/access' });
  const navigate = useNavigate();
  return (
    <Page
      title="Access"
      description="A caller is an app, an agent or a person that uses a key to ask questions. People sign in to this app with an account."
    >
      <Tabs
        value={tab}
        onChange={(newTab) => void navigate({ to: '/access', search: { tab: newTab ?? undefined }, replace: true })}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="callers">Callers and keys</Tabs.Tab>
          <Tabs.Tab value="users">People</Tabs.Tab>
          <Tabs.Tab value="oauth">OAuth</Tabs.Tab>
          <Tabs.Tab value="audit">Audit log</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="callers">
          <Callers />
        </Tabs.Panel>
        <Tabs.Panel value="users">
          <Users />
        </Tabs.Panel>
        <Tabs.Panel value="oauth">
          <OauthAccess />
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <AuditLog />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
