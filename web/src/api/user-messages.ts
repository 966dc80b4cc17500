// The server's messages are also for agents, scripts and operators, and can name routes, commands and settings. This
// module replaces such messages, because no one can use routes, commands and settings in a browser.
import { formatDateTime } from '../ui/format.ts';
import type { components } from './schema.d.ts';

type ProblemCode = components['schemas']['Problem']['error']['code'];

/** The sentence that replaces a technical message with the same code. */
const MESSAGE_BY_CODE: Record<ProblemCode, string> = {
  malformed: 'The server can’t read the request. Reload the page and try again.',
  auth: 'You are no longer signed in. Sign in again.',
  forbidden: 'You don’t have permission for this action. Ask an admin of your organization.',
  not_found: 'svc can’t find this item, or you don’t have access to it.',
  no_exact_match: 'No certified entry matches this question exactly.',
  method_not_allowed: 'The server doesn’t support this action. Reload the page and try again.',
  conflict: 'Someone else changed this item at the same time. Reload the page and try again.',
  precondition_failed: 'Someone else changed this item at the same time. Reload the page and try again.',
  too_large: 'The server doesn’t accept a request of this size. Send a smaller file or a shorter text.',
  unsupported_media_type: 'The server can’t read this kind of file.',
  invalid: 'The server doesn’t accept this input. Check what you entered.',
  guard_refused: 'svc refuses this query, because the query breaks a safety rule.',
  rate_limited: 'You sent too many requests in a short time. Wait a minute and try again.',
  internal: 'Something went wrong in svc. Try again. If the error persists, give the request ID to an admin.',
  upstream: 'The database couldn’t answer. Try again, or ask an admin to check the connection.',
  unreachable: 'The server or the database can’t be reached. Try again in a minute.',
  timeout: 'The answer took too long. Ask a narrower question, for example about one year.',
};

const MESSAGE_REPLACEMENTS: [RegExp, string][] = [
  [
    /^(?=[\s\S]*SVC_SECRET_KEY)[\s\S]*response[\s\S]*$/,
    'svc already completed this request, but didn’t store the response. Reload the page to see the result.',
  ],
  [
    /^(?=[\s\S]*SVC_SECRET_KEY)[\s\S]*decrypt[\s\S]*$/,
    'svc can’t decrypt a stored secret, because this server doesn’t have its key. Enter the secret again, or ask the operator for the key.',
  ],
  [
    /^(?=[\s\S]*SVC_SECRET_KEY)[\s\S]*secret[\s\S]*$/,
    'This server can’t store secrets, because it has no encryption key. Ask the operator to set a key.',
  ],
  [/The operator can [^.]*\bSVC_\w+[^.]*\.?(?=\s|$)/g, 'Ask the operator of this server to allow it.'],
  [/(the file )?svc\.config\.yaml/g, 'the project files'],
  [/ or run: npx svc [\s\S]*$/, '.'],
  [/^The body is not valid: /, ''],
];

const TECHNICAL_SENTENCE_PATTERN = new RegExp(
  [
    /(?<![\w.-])\/(v1|mgmt|mcp)\b/, // a route
    /\b(GET|POST|PUT|PATCH|DELETE) (\/|the )/,
    /\b(npx|npm|curl) |\bsvc[a-z]*_/,
    /\bsvc (apply|bootstrap|export|introspect|key create|sign-in-link)\b/,
    /\bSVC_\w+|\bDATABASE_URL\b/,
    /\b(If-Match|ETag|Content-\w+|application\/json|JSON document|JSON object|the body)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

export const formatTimestamps = (text: string): string => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, formatDateTime);

/**
 * Removes technical sentences from a message of the server. If the first sentence is technical, returns the sentence
 * for `code`.
 */
export function toUserMessage(message: string, code?: string): string {
  const renamedText = MESSAGE_REPLACEMENTS.reduce(
    (text, [pattern, words]) => text.replace(pattern, words),
    formatTimestamps(message),
  );
  const [first = '', ...rest] = renamedText.split(/(?<=[.?!])\s+(?=\S)/);
  if (first === '' || TECHNICAL_SENTENCE_PATTERN.test(first))
    return MESSAGE_BY_CODE[code as ProblemCode] ?? MESSAGE_BY_CODE.internal;
  const userText = [first, ...rest.filter((sentence) => !TECHNICAL_SENTENCE_PATTERN.test(sentence))].join(' ');
  return /^svc\b/.test(userText) ? userText : userText.charAt(0).toUpperCase() + userText.slice(1);
}
