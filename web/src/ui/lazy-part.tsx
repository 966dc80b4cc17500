import { type ComponentType, lazy } from 'react';
import { ErrorState } from './States.tsx';

/**
 * A part of a page that has its own code. The code can't be loaded without a connection, or after an upgrade of the
 * server. The rest of the page, such as an answer, then stays usable.
 */
export const lazyPart = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy<ComponentType<Props>>(() => load().catch(() => ({ default: MissingPart })));

const MissingPart = () => (
  <ErrorState
    fault={new Error('The app can’t load this part of the page. Check your connection, then try again.')}
    onRetry={() => window.location.reload()}
  />
);
