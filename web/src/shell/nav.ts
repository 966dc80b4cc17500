// The pages as data: path, audience and heading.
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
  /** Shown only to admins. Other pages are for everyone who is signed in. */
  admins?: true;
}

export const NAV_ITEMS: { heading: string | null; places: NavItem[] }[] = [
  {
    heading: null,
    places: [
      { to: '/', label: 'Ask', icon: IconMessageCircleQuestion },
      { to: '/boards', label: 'Boards', icon: IconLayoutDashboard },
      { to: '/lenses', label: 'Lenses', icon: IconBook2 },
    ],
  },
  {
    heading: 'Monitor',
    places: [
      { to: '/overview', label: 'Overview', icon: IconActivity, admins: true },
      { to: '/requests', label: 'Requests', icon: IconListSearch, admins: true },
    ],
  },
  {
    heading: 'Improve',
    places: [
      { to: '/gaps', label: 'Gaps', icon: IconPuzzle, admins: true },
      { to: '/reviews', label: 'Reviews', icon: IconMessageReport },
      { to: '/certified', label: 'Certified', icon: IconCertificate, admins: true },
      { to: '/evals', label: 'Evals', icon: IconChecklist, admins: true },
    ],
  },
  {
    heading: 'Set up',
    places: [
      { to: '/data', label: 'Data', icon: IconDatabase, admins: true },
      { to: '/access', label: 'Access', icon: IconUsersGroup, admins: true },
      { to: '/connect', label: 'Connect', icon: IconPlugConnected, admins: true },
      { to: '/verify', label: 'Verify', icon: IconShieldCheck },
    ],
  },
];
