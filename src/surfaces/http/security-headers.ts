// svc builds the headers once, because helmet would call fifteen functions per request to set the same headers.
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

export function buildSecurityHeaders({ isHttps }: { isHttps: boolean }): Record<string, string> {
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        scriptSrc: ["'self'"],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    hsts: isHttps ? { maxAge: 31_536_000 } : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
  });
  const headers: Record<string, string> = {};
  const collector = {
    setHeader: (name: string, value: string) => (headers[name] = value),
    removeHeader: () => undefined,
  };
  setHeaders({} as IncomingMessage, collector as unknown as ServerResponse, (fault) => {
    if (fault) throw fault;
  });
  return headers;
}
