// Each page loads its own code. Pages that need sign-in first wait for the session.
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
import { findRoleName, isLimitedToCaller, type Session, sessionQuery } from './api/session.ts';
import { lensesQuery } from './features/ask/api/lenses.ts';
import type { RequestFilter } from './features/requests/request-filter.ts';
import { PublicPage, Shell } from './shell/Shell.tsx';
import { UnavailablePage } from './ui/Page.tsx';
import { ErrorState, LoadingState } from './ui/States.tsx';

const rootRoute = createRootRouteWithContext<{ queryClient: typeof queryClient }>()({
  component: Outlet,
  notFoundComponent: () => (
    <PublicPage>
      <UnavailablePage title="Page not found">
        The address may contain a typo, or the page may have moved.
      </UnavailablePage>
    </PublicPage>
  ),
});

const enterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/enter',
  component: lazyRouteComponent(() => import('./features/enter/EnterPage.tsx'), 'EnterPage'),
});

const NEVER_RESOLVED_PROMISE = new Promise<never>(() => {});
const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  component: Shell,
  beforeLoad: async ({ context }) => {
    try {
      await context.queryClient.ensureQueryData(sessionQuery);
    } catch (fault) {
      if (!(fault instanceof ApiProblem) || fault.status !== 401) throw fault;
      signInAgain();
      await NEVER_RESOLVED_PROMISE; // keeps the route pending until the browser opens the sign-in page
    }
  },
});

const parseOptionalText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const APP_ROUTE_OPTIONS = { getParentRoute: () => appRoute };

type AskSearch = { q?: string | undefined; lens?: string | undefined; thread?: string | undefined };
const askRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/',
  validateSearch: (search: Record<string, unknown>): AskSearch => ({
    q: parseOptionalText(search['q']),
    lens: parseOptionalText(search['lens']),
    thread: parseOptionalText(search['thread']),
  }),
  loader: ({ context }) => context.queryClient.ensureQueryData(lensesQuery),
  component: lazyRouteComponent(() => import('./features/ask/AskPage.tsx'), 'AskPage'),
});

const answerRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/answers/$id',
  loader: ({ context }) => context.queryClient.ensureQueryData(lensesQuery),
  component: lazyRouteComponent(() => import('./features/ask/AskPage.tsx'), 'AskPage'),
});

const boardsRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/boards',
  component: lazyRouteComponent(() => import('./features/boards/BoardsPage.tsx'), 'BoardsPage'),
});
const boardRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/boards/$id',
  validateSearch: (search: Record<string, unknown>): { filter?: unknown } =>
    search['filter'] === undefined ? {} : { filter: search['filter'] },
  component: lazyRouteComponent(() => import('./features/boards/BoardPage.tsx'), 'BoardPage'),
});

const requestsRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/requests',
  validateSearch: (search: Record<string, unknown>): RequestFilter => ({
    q: parseOptionalText(search['q']),
    lens: parseOptionalText(search['lens']),
    status: parseOptionalText(search['status']),
    confidence: parseOptionalText(search['confidence']),
    caller: parseOptionalText(search['caller']),
    certification: parseOptionalText(search['certification']),
  }),
  component: lazyRouteComponent(() => import('./features/requests/RequestsPage.tsx'), 'RequestsPage'),
});
const requestRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/requests/$id',
  component: lazyRouteComponent(() => import('./features/requests/RequestPage.tsx'), 'RequestPage'),
});

const lensesRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/lenses',
  loader: ({ context }) => context.queryClient.ensureQueryData(lensesQuery),
  component: lazyRouteComponent(() => import('./features/lenses/LensesPage.tsx'), 'LensesPage'),
});
const lensRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/lenses/$name',
  validateSearch: (search: Record<string, unknown>): { tab?: string | undefined } => ({
    tab: parseOptionalText(search['tab']),
  }),
  component: lazyRouteComponent(() => import('./features/lenses/LensPage.tsx'), 'LensPage'),
});
const lensEditRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/lenses/$name/edit',
  validateSearch: (
    search: Record<string, unknown>,
  ): { draft?: string | undefined; part?: string | undefined; as?: 'form' | 'yaml' | undefined } => ({
    draft: parseOptionalText(search['draft']),
    part: parseOptionalText(search['part']),
    as: search['as'] === 'yaml' ? 'yaml' : undefined,
  }),
  component: lazyRouteComponent(() => import('./features/lenses/editor/LensEditPage.tsx'), 'LensEditPage'),
});

const reviewsRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/reviews',
  component: lazyRouteComponent(() => import('./features/reviews/ReviewsPage.tsx'), 'ReviewsPage'),
});
const reviewRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/reviews/$id',
  component: lazyRouteComponent(() => import('./features/reviews/ReviewPage.tsx'), 'ReviewPage'),
});
const gapsRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/gaps',
  component: lazyRouteComponent(() => import('./features/gaps/GapsPage.tsx'), 'GapsPage'),
});
const certifiedRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/certified',
  validateSearch: (search: Record<string, unknown>): { lens?: string | undefined; entry?: string | undefined } => ({
    lens: parseOptionalText(search['lens']),
    entry: parseOptionalText(search['entry']),
  }),
  loader: ({ context }) => context.queryClient.ensureQueryData(lensesQuery),
  component: lazyRouteComponent(() => import('./features/certified/CertifiedPage.tsx'), 'CertifiedPage'),
});
const overviewRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/overview',
  component: lazyRouteComponent(() => import('./features/overview/OverviewPage.tsx'), 'OverviewPage'),
});
const evalsRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/evals',
  component: lazyRouteComponent(() => import('./features/evals/EvalsPage.tsx'), 'EvalsPage'),
});
const dataRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/data',
  component: lazyRouteComponent(() => import('./features/data/DataPage.tsx'), 'DataPage'),
});
const newDataRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/data/new',
  validateSearch: (search: Record<string, unknown>): { connection?: string | undefined } => ({
    connection: parseOptionalText(search['connection']),
  }),
  component: lazyRouteComponent(() => import('./features/data/wizard/WizardPage.tsx'), 'WizardPage'),
});
const accessRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/access',
  validateSearch: (search: Record<string, unknown>): { tab?: string | undefined } => ({
    tab: parseOptionalText(search['tab']),
  }),
  loader: ({ context }) => context.queryClient.ensureQueryData(lensesQuery),
  component: lazyRouteComponent(() => import('./features/access/AccessPage.tsx'), 'AccessPage'),
});
const connectRoute = createRoute({
  ...APP_ROUTE_OPTIONS,
  path: '/connect',
  component: lazyRouteComponent(() => import('./features/connect/ConnectPage.tsx'), 'ConnectPage'),
});
// Anyone with a receipt can open this page, with or without a session.
const verifyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify',
  component: lazyRouteComponent(() => import('./features/verify/VerifyPage.tsx'), 'VerifyPage'),
});

const routesForEveryone = [
  askRoute,
  answerRoute,
  boardsRoute,
  boardRoute,
  lensesRoute,
  lensRoute,
  reviewsRoute,
  reviewRoute,
];
const routesForCurators = [
  overviewRoute,
  requestsRoute,
  requestRoute,
  gapsRoute,
  certifiedRoute,
  lensEditRoute,
  evalsRoute,
];
const routesForAdmins = [dataRoute, newDataRoute, accessRoute, connectRoute];

for (const { options } of routesForCurators) options.component = restrictPage(isLimitedToCaller, options.component!);
for (const { options } of routesForAdmins)
  options.component = restrictPage(
    (session) => isLimitedToCaller(session) || findRoleName(session) === 'Curator',
    options.component!,
  );

/** Hides a page from people whose role doesn't allow its requests. */
function restrictPage(isClosed: (session: Session) => boolean, Shown: RouteComponent): RouteComponent {
  const RestrictedPage: RouteComponent = () => {
    const { data: session } = useSuspenseQuery(sessionQuery);
    if (!isClosed(session)) return <Shown />;
    return (
      <UnavailablePage title="You don’t have access to this page">
        Your role is {findRoleName(session)}. Ask an admin of your organization for access.
      </UnavailablePage>
    );
  };
  return Object.assign(RestrictedPage, { preload: Shown.preload });
}

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    enterRoute,
    verifyRoute,
    appRoute.addChildren([...routesForEveryone, ...routesForCurators, ...routesForAdmins]),
  ]),
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
