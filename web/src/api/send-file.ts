// `fetch` can't report how much has been sent, so this module uses XMLHttpRequest.
import { ApiProblem, toProblem } from './client.ts';

const SEND_TIMEOUT_MS = 60_000; // the time within which the server must receive a request

interface SendOptions {
  signal: AbortSignal;
  /** The app calls this function with the number of bytes sent so far. */
  onProgress: (bytes: number) => void;
}

/** Returns the path of the uploaded file on the server, for a connection. Rejects if `signal` aborts. */
export function sendFile(name: string, file: File, { signal, onProgress }: SendOptions): Promise<{ path: string }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const startedAt = performance.now();
    request.open('POST', `/mgmt/uploads?name=${encodeURIComponent(name)}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = () => {
      const response = new Response(null, { status: request.status });
      const body = parseJson(request.responseText);
      if (response.ok) resolve(body as { path: string });
      else reject(toProblem(body, response));
    };
    request.onerror = () => reject(createInterruptionProblem(performance.now() - startedAt));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    signal.throwIfAborted();
    request.send(file);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function createInterruptionProblem(afterMs: number): ApiProblem {
  const message =
    afterMs < SEND_TIMEOUT_MS
      ? 'The upload was interrupted. Check that the server is running, then try again.'
      : 'The server stopped the upload, because it took more than 60 seconds. Convert the file to Parquet, which is smaller, and try again. Or copy the file to the server, and connect to its path.';
  return new ApiProblem(message, { status: 0, code: 'unreachable' });
}
