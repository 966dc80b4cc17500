// The content security policy allows adopted style sheets, so CodeMirror runs in a shadow root.
import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { completeFromSchema, type JsonSchema } from './complete.ts';
import css from './editor.module.css';

export interface YamlFault {
  line: number;
  column: number;
  message: string;
}

const editorTheme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--mantine-color-text)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--mantine-color-anchor)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--mantine-color-dimmed)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--sunken)' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-anchor) 25%, transparent) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--mantine-color-anchor)',
    color: 'var(--mantine-color-body)',
  },
});
const syntaxColors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--mantine-color-anchor)' },
  { tag: tags.comment, color: 'var(--mantine-color-dimmed)', fontStyle: 'italic' },
]);

export default function YamlEditor(props: {
  label: string;
  text: string;
  onText: (text: string) => void;
  /** Checks the editor's text, which may be newer than the rendered state. */
  onCheck: (text: string) => void;
  schema: JsonSchema;
  names: string[];
  faults: YamlFault[];
  /** The line to go to. A new object with the same line moves the cursor to that line again. */
  lineTarget: { line: number } | null;
}) {
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latestProps = useRef(props);
  latestProps.current = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is created once and reads later values from `latestProps`
  useEffect(() => {
    const root = container.current!.shadowRoot ?? container.current!.attachShadow({ mode: 'open' });
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: props.text,
        extensions: [
          lineNumbers(),
          history(),
          lintGutter(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          yaml(),
          syntaxHighlighting(syntaxColors),
          autocompletion({ override: [completeFromSchema(props.schema, () => latestProps.current.names)] }),
          keymap.of([
            {
              key: 'Mod-s',
              run: ({ state }) => {
                latestProps.current.onCheck(state.doc.toString());
                return true;
              },
            },
            // Pressing Escape and then Tab leaves the editor.
            ...completionKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            indentWithTab,
          ]),
          EditorView.contentAttributes.of({ 'aria-label': props.label, tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latestProps.current.onText(update.state.doc.toString());
          }),
          editorTheme,
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    const { current } = view;
    if (!current) return;
    const { doc } = current.state;
    const diagnostics = props.faults.map(({ line, column, message }): Diagnostic => {
      const documentLine = doc.line(Math.min(Math.max(line, 1), doc.lines));
      return {
        from: Math.min(documentLine.from + Math.max(column - 1, 0), documentLine.to),
        to: documentLine.to,
        severity: 'error',
        message,
      };
    });
    current.dispatch(setDiagnostics(current.state, diagnostics));
  }, [props.faults]);
  useEffect(() => {
    const { current } = view;
    if (!current || !props.lineTarget) return;
    const { from } = current.state.doc.line(Math.min(props.lineTarget.line, current.state.doc.lines));
    current.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    current.focus();
  }, [props.lineTarget]);
  return <div className={css.editor} ref={container} />;
}
