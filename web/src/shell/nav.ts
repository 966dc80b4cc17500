import {
  IconActivity,
  IconBook2,
  IconCertificate,
  IconChecklist,
  IconDatabase,
  IconLayoutDashboard,
  IconListSearch,
  IconMessageCircleQuestion,
  IconMessageReport,
  IconPlugConnected,
  IconPuzzle,
  IconShieldCheck,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { canCurate, canManage, type Session } from '../api/session.ts';

interface NavItem {
  to:
    | '/'
    | '/boards'
    | '/overview'
    | '/requests'
    | '/gaps'
    | '/reviews'
    | '/certified'
    | '/lenses'
    | '/evals'
    | '/data'
    | '/access'
    | '/connect'
    | '/verify';
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  /** The people who see the page. By default, everyone who is signed in sees the page. */
  audience?: 'admins' | 'curators';
}

const NAV_GROUPS: { heading: string | null; items: NavItem[] }[] = [
  {
    heading: null,
    items: [
      { to: '/', label: 'Ask', icon: IconMessageCircleQuestion },
      { to: '/boards', label: 'Boards', icon: IconLayoutDashboard },
      { to: '/lenses', label: 'Lenses', icon: IconBook2 },
    ],
  },
  {
    heading: 'Monitor',
    items: [
      { to: '/overview', label: 'Overview', icon: IconActivity, audience: 'curators' },
      { to: '/requests', label: 'Requests', icon: IconListSearch, audience: 'curators' },
    ],
  },
  {
    heading: 'Improve',
    items: [
      { to: '/gaps', label: 'Gaps', icon: IconPuzzle, audience: 'curators' },
      { to: '/reviews', label: 'Reviews', icon: IconMessageReport },
      { to: '/certified', label: 'Certified entries', icon: IconCertificate, audience: 'curators' },
      { to: '/evals', label: 'Evals', icon: IconChecklist, audience: 'curators' },
    ],
  },
  {
    heading: 'Set up',
    items: [
      { to: '/data', label: 'Data', icon: IconDatabase, audience: 'admins' },
      { to: '/access', label: 'Access', icon: IconUsersGroup, audience: 'admins' },
      { to: '/connect', label: 'Connect', icon: IconPlugConnected, audience: 'admins' },
      { to: '/verify', label: 'Verify', icon: IconShieldCheck },
    ],
  },
];

export const listNavItems = (session: Session) =>
  NAV_GROUPS.map(({ heading, items }) => ({
    heading,
    items: items.filter(({ audience: only }) => !only || (only === 'admins' ? canManage : canCurate)(session)),
  })).filter(({ items }) => items.length > 0);
