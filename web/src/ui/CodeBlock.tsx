import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import css from './code-block.module.css';

/** With `noWrap`, long lines scroll instead of wrapping, as commands and settings need. */
export function CodeBlock({ text, label, noWrap }: { text: string; label: string; noWrap?: boolean }) {
  const clipboard = useClipboard({ timeout: 2000 });
  return (
    <div className={css.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <section className={css.scroll} aria-label={label} tabIndex={0}>
        <pre className={noWrap ? css.noWrap : undefined}>{addClauseLineBreaks(text)}</pre>
      </section>
      <Button
        className={css.copy}
        size="compact-xs"
        variant="default"
        aria-label={`Copy: ${label}`}
        onClick={() => clipboard.copy(text)}
      >
        {clipboard.copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}

/** Text in parentheses, string literals and quoted names stays on one line. */
function addClauseLineBreaks(sql: string): string {
  if (!/^(select|with) .*$/i.test(sql)) return sql;
  let depth = 0;
  return sql
    .split(/('(?:[^']|'')*'|"[^"]*"|[()])/)
    .map((part, index) => {
      depth += part === '(' ? 1 : part === ')' ? -1 : 0;
      return index % 2 === 1 || depth > 0 ? part : part.replace(CLAUSE_PATTERN, '\n$1');
    })
    .join('');
}
const CLAUSE_PATTERN = /\s+(from|(?:left |inner |cross )?join|where|group by|having|order by|limit)\b/gi;
