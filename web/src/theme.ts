// The content security policy forbids inline styles, so the app writes the theme's variables to an adopted style sheet.
import {
  type CSSVariablesResolver,
  convertCssVariables,
  createTheme,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  mergeMantineTheme,
} from '@mantine/core';

const ACCENT_COLORS: MantineColorsTuple = [
  '#edf8f0',
  '#d8efdf',
  '#b0dfc0',
  '#86efac',
  '#5fbf84',
  '#3d9d66',
  '#2a7d4d',
  '#1f683e',
  '#195a34',
  '#14532d',
];

const DARK_COLORS: MantineColorsTuple = [
  '#e9e7e1',
  '#c2c8d0',
  '#98a2b0',
  '#5d6775',
  '#343b46',
  '#2c323c',
  '#1f242c',
  '#1b1f26',
  '#14171c',
  '#101317',
];

const QUIET_BUTTON_STYLE = {
  background: 'transparent',
  color: 'var(--mantine-color-dimmed)',
  border: '1px solid transparent',
};

export const theme = createTheme({
  colors: { leaf: ACCENT_COLORS, dark: DARK_COLORS },
  // Gives text on the primary color a light color in light mode and a dark color in dark mode.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    const primary = !input.color || input.color === input.theme.primaryColor;
    if (input.variant === 'delete')
      return {
        ...colors,
        ...QUIET_BUTTON_STYLE,
        hover: 'var(--mantine-color-red-light)',
        hoverColor: 'var(--mantine-color-error)',
      };
    return input.variant === 'filled' && primary ? { ...colors, color: 'var(--on-primary)' } : colors;
  },
  primaryColor: 'leaf',
  primaryShade: { light: 9, dark: 3 },
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  components: { Checkbox: { defaultProps: { iconColor: 'var(--on-primary)' } } },
});

/** Gives muted text and error text a contrast ratio of at least 4.5:1, in light and dark mode. */
const resolveCssVariables: CSSVariablesResolver = (merged) => {
  const base = defaultCssVariablesResolver(merged);
  return {
    variables: base.variables,
    light: {
      ...base.light,
      '--mantine-color-body': '#fbfaf7',
      '--mantine-color-text': '#1c2430',
      '--mantine-color-dimmed': '#566071',
      '--mantine-color-error': '#b42318',
      '--mantine-color-placeholder': '#666f7d',
      '--mantine-color-anchor': '#14532d',
      '--mantine-color-default-border': '#d9d6cd',
      '--mantine-color-disabled': '#eceae4',
      '--mantine-color-disabled-color': '#7a818d',
      '--combobox-chevron-color': '#666f7d',
      '--on-primary': '#ffffff',
      '--surface': '#ffffff',
      '--sunken': '#f3f1eb',
      '--line': '#e2dfd6',
    },
    dark: {
      ...base.dark,
      '--mantine-color-body': '#14171c',
      '--mantine-color-text': '#e9e7e1',
      '--mantine-color-dimmed': '#a3adbb',
      '--mantine-color-error': '#ff9a90',
      '--mantine-color-placeholder': '#98a2b0',
      '--mantine-color-anchor': '#86efac',
      '--mantine-color-leaf-light-color': '#86efac',
      '--mantine-color-default': '#1b1f26',
      '--mantine-color-default-hover': '#252a33',
      '--mantine-color-default-border': '#343b46',
      '--mantine-color-disabled': '#252a33',
      '--mantine-color-disabled-color': '#8a94a3',
      '--combobox-chevron-color': '#98a2b0',
      '--on-primary': '#0d2114',
      '--surface': '#1b1f26',
      '--sunken': '#101317',
      '--line': '#2c323c',
    },
  };
};

export function applyThemeVariables(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(convertCssVariables(resolveCssVariables(mergeMantineTheme(DEFAULT_THEME, theme)), ':root'));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
