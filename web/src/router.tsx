// Declares the routes of the app. Each page loads its own code. Pages that need sign-in first wait for the session.
import { useSuspenseQuery } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router';
import { ApiProblem } from './api/client.ts';
import { queryClient, signInAgain } from './api/query-client.ts';
import { isConfined, roleOf, type Session, sessionQuery } from './api/session.ts';
import { lensesQuery } from './features/ask/api/lenses.ts';
import type { RequestFilter } from './features/requests/request-filter.ts';
import { OpenToAll, Shell } from './shell/Shell.tsx';
import { DeadEnd } from './ui/Page.tsx';
import { ErrorState, LoadingState } from './ui/States.tsx';

const root = createRootRouteWithContext<{ queryClient: typeof queryClient }>()({
  component: Outlet,
  notFoundComponent: () => (
    <OpenToAll>
      <DeadEnd title="Page not found">The address may have a typo, or the page has moved.</DeadEnd>
    </OpenToAll>
  ),
});

const enter = createRoute({
  getParentRoute: () => root,
  path: '/enter',
  component: lazyRouteComponent(() => import('./features/enter/EnterPage.tsx'), 'EnterPage'),
});

const never = new Promise<never>(() => {});
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Shell,
  beforeLoad: async ({ context }) => {
    try {
      await context.queryClient.ensureQueryData(sessionQuery);
    } catch (fault) {
      if (!(fault instanceof ApiProblem) || fault.status !== 401) throw fault;
      signInAgain();
      await never; // keeps the route pending until the browser opens the sign-in page
    }
  },
});

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const page = { getParentRoute: () => app };

type AskSearch = { q?: string | undefined; lens?: string | undefined; thread?: string | undefined };
const askRoute = createRoute({
  ...page,
  path: '/',
  validateSearch: (search: Record<string, unknown>): AskSearch => ({
    q: text(search['q']),
    lens: text(search['lens']),
    thread: text(search['thread']),
  }),
  loader: ({ context }) => context.queryClient.ensureQueryData(lensesQuery),
  component: lazyRouteComponent(() => import('./features/ask/AskPage.tsx'), 'AskPage'),
});

const answer = createRoute({
  ...page,
  path: '/answers/$id',
  loader: ({ context }) => context.queryClient.ensureQueryData(lensesQuery),
  component: lazyRouteComponent(() => import('./features/ask/AskPage.tsx'), 'AskPage'),
});

const boards = createRoute({
  ...page,
  path: '/boards',
  component: lazyRouteComponent(() => import('./features/boards/BoardsPage.tsx'), 'BoardsPage'),
});
const board = createRoute({
  ...page,
  path: '/boards/$id',
  validateSearch: (search: Record<string, unknown>): { filter?: unknown } =>
    search['filter'] === undefined ? {} : { filter: search['filter'] },
  component: lazyRouteComponent(() => import('./features/boards/BoardPage.tsx'), 'BoardPage'),
});

const requests = createRoute({
  ...page,
  path: '/requests',
  validateSearch: (search: Record<string, unknown>): RequestFilter => ({
    q: text(search['q']),
    lens: text(search['lens']),
    status: text(search['status']),
    confidence: text(search['confidence']),
    caller: text(search['caller']),
    certification: text(search['certification']),
  }),
  component: lazyRouteComponent(() => import('./features/requests/RequestsPage.tsx'), 'RequestsPage'),
});
const request = createRoute({
  ...page,
  path: '/requests/$id',
  component: lazyRouteComponent(() => import('./features/requests/RequestPage.tsx'), 'RequestPage'),
});

const lenses = createRoute({
  ...page,
  path: '/lenses',
  loader: ({ context }) => context.queryClient.ensureQueryData(lensesQuery),
  component: lazyRouteComponent(() => import('./features/lenses/LensesPage.tsx'), 'LensesPage'),
});
const lens = createRoute({
  ...page,
  path: '/lenses/$name',
  validateSearch: (search: Record<string, unknown>): { tab?: string | undefined } => ({ tab: text(search['tab']) }),
  component: lazyRouteComponent(() => import('./features/lenses/LensPage.tsx'), 'LensPage'),
});
const lensEdit = createRoute({
  ...page,
  path: '/lenses/$name/edit',
  validateSearch: (
    search: Record<string, unknown>,
  ): { draft?: string | undefined; part?: string | undefined; as?: 'form' | 'yaml' | undefined } => ({
    draft: text(search['draft']),
    part: text(search['part']),
    as: search['as'] === 'yaml' ? 'yaml' : undefined,
  }),
  component: lazyRouteComponent(() => import('./features/lenses/editor/LensEditPage.tsx'), 'LensEditPage'),
});

const reviews = createRoute({
  ...page,
  path: '/reviews',
  component: lazyRouteComponent(() => import('./features/reviews/ReviewsPage.tsx'), 'ReviewsPage'),
});
const review = createRoute({
  ...page,
  path: '/reviews/$id',
  component: lazyRouteComponent(() => import('./features/reviews/ReviewPage.tsx'), 'ReviewPage'),
});
const gaps = createRoute({
  ...page,
  path: '/gaps',
  component: lazyRouteComponent(() => import('./features/gaps/GapsPage.tsx'), 'GapsPage'),
});
const certified = createRoute({
  ...page,
  path: '/certified',
  loader: ({ context }) => context.queryClient.ensureQueryData(lensesQuery),
  component: lazyRouteComponent(() => import('./features/certified/CertifiedPage.tsx'), 'CertifiedPage'),
});
const overview = createRoute({
  ...page,
  path: '/overview',
  component: lazyRouteComponent(() => import('./features/overview/OverviewPage.tsx'), 'OverviewPage'),
});
const evals = createRoute({
  ...page,
  path: '/evals',
  component: lazyRouteComponent(() => import('./features/evals/EvalsPage.tsx'), 'EvalsPage'),
});
const data = createRoute({
  ...page,
  path: '/data',
  component: lazyRouteComponent(() => import('./features/data/DataPage.tsx'), 'DataPage'),
});
const newData = createRoute({
  ...page,
  path: '/data/new',
  validateSearch: (search: Record<string, unknown>): { connection?: string | undefined } => ({
    connection: text(search['connection']),
  }),
  component: lazyRouteComponent(() => import('./features/data/wizard/WizardPage.tsx'), 'WizardPage'),
});
const access = createRoute({
  ...page,
  path: '/access',
  loader: ({ context }) => context.queryClient.ensureQueryData(lensesQuery),
  component: lazyRouteComponent(() => import('./features/access/AccessPage.tsx'), 'AccessPage'),
});
const connect = createRoute({
  ...page,
  path: '/connect',
  component: lazyRouteComponent(() => import('./features/connect/ConnectPage.tsx'), 'ConnectPage'),
});
// Anyone with a receipt can open this page, with or without a session.
const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  component: lazyRouteComponent(() => import('./features/verify/VerifyPage.tsx'), 'VerifyPage'),
});

const forAll = [askRoute, answer, boards, board, lenses, lens, reviews, review];
const forCurators = [overview, requests, request, gaps, certified, lensEdit, evals];
const adminRoutes = [data, newData, access, connect];

for (const { options } of forCurators) options.component = closedTo(isConfined, options.component!);
for (const { options } of adminRoutes)
  options.component = closedTo((session) => isConfined(session) || roleOf(session) === 'Curator', options.component!);

/** Explains that the page isn't for this person, because the server would refuse the requests of the page. */
function closedTo(isClosed: (session: Session) => boolean, Shown: RouteComponent): RouteComponent {
  const Allowed: RouteComponent = () => {
    const { data: session } = useSuspenseQuery(sessionQuery);
    if (!isClosed(session)) return <Shown />;
    return (
      <DeadEnd title="You don’t have access to this page">
        Your role is {roleOf(session)}. Ask an admin of your organization for access.
      </DeadEnd>
    );
  };
  return Object.assign(Allowed, { preload: Shown.preload });
}

export const router = createRouter({
  routeTree: root.addChildren([enter, verify, app.addChildren([...forAll, ...forCurators, ...adminRoutes])]),
  basepath: '/app',
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingComponent: () => <LoadingState />,
  defaultErrorComponent: ({ error, reset }) => <ErrorState fault={error} onRetry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
