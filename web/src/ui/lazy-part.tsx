import { type ComponentType, lazy } from 'react';
import { ErrorState } from './States.tsx';

/**
 * Loads the code of a part of a page. If loading fails, for example without a connection or after an upgrade of the
 * server, the rest of the page stays usable.
 */
export const lazyPart = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy<ComponentType<Props>>(() => load().catch(() => ({ default: MissingPart })));

const MissingPart = () => (
  <ErrorState
    fault={new Error('The app can’t load this part of the page. Check your connection, then try again.')}
    onRetry={() => window.location.reload()}
  />
);
